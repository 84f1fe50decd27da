import type { CliContext, JsonFlag } from '../context.ts'
import { leaseTable } from './text.ts'

export interface LeaseListFlags {
  all?: boolean
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { all = false, json }: LeaseListFlags & JsonFlag,
  glob: string | undefined,
): Promise<void> => {
  const leases = await connect().leases({ cwd: cwd(), all, ...(glob === undefined ? {} : { glob }) })
  if (json) out.document(leases)
  else out.line(leaseTable(leases, now()))
}
