import { prunedText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface PruneFlags {
  olderThan?: number
  keepBytes?: number
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { olderThan, keepBytes, json }: PruneFlags & JsonFlag,
): Promise<void> => {
  const pruned = await connect().pruneEvents({ cwd: cwd(), olderThanMs: olderThan, keepBytes })
  if (json) out.document(pruned)
  else out.line(prunedText(pruned))
}
