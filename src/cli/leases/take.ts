import { ReinError } from '../../contract/errors.ts'
import type { LeaseView, TakeLeaseRequest } from '../../contract/routes/leases.ts'
import { longestWaitMs } from '../../contract/lease-limits.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { leaseText } from './text.ts'

interface TakeFlags {
  exclusive?: boolean
  shared?: boolean
  for?: number
  why?: string
  wait?: boolean
}

export const run = async (context: CliContext, flags: TakeFlags & JsonFlag, glob: string): Promise<void> => {
  const { exclusive, shared, for: ttlMs, why, wait, json } = flags
  if (exclusive && shared) throw new ReinError('usage', 'A lease is exclusive or shared, not both.')
  const wanted: TakeLeaseRequest = {
    cwd: context.cwd(),
    glob,
    mode: shared ? 'shared' : 'exclusive',
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(why === undefined ? {} : { why }),
  }
  const lease = wait ? await waitFor(context, wanted) : await context.connect().takeLease(wanted)
  if (json) context.out.document(lease)
  else context.out.line(leaseText(lease, context.now(), context.out))
}

/** Says once who holds the lease. */
const waitFor = async ({ connect, out }: CliContext, wanted: TakeLeaseRequest): Promise<LeaseView> => {
  for (let isTold = false; ; isTold = true) {
    try {
      return await connect().takeLease({ ...wanted, waitMs: isTold ? longestWaitMs : 0 })
    } catch (cause) {
      if (!(cause instanceof ReinError) || cause.code !== 'lease_held') throw cause
      if (!isTold) out.note(`Waiting: ${cause.message}`)
    }
  }
}
