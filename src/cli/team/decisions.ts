import type { CliContext, JsonFlag } from '../context.ts'
import { decisionsText, usualLast } from './text.ts'

export interface DecisionsFlags {
  last?: number
  search?: string
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { last, search, json }: DecisionsFlags & JsonFlag,
): Promise<void> => {
  const listed = await connect().decisions({ cwd: cwd(), last: last ?? usualLast, search })
  if (json) out.document(listed)
  else out.line(decisionsText(listed, now(), out))
}
