import type { CliContext, JsonFlag } from '../context.ts'
import { leaseText } from './text.ts'

export interface RenewFlags {
  ttl?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { ttl, json }: RenewFlags & JsonFlag,
  lease: string,
): Promise<void> => {
  const renewed = await connect().renewLease({ cwd: cwd(), lease, ...(ttl === undefined ? {} : { ttlMs: ttl }) })
  if (json) out.document(renewed)
  else for (const one of renewed) out.line(leaseText(one, now()))
}
