import type { CliContext, JsonFlag } from '../context.ts'
import { loopTable } from './text.ts'

export interface LoopsFlags {
  limit?: number
}

const usualLimit = 50

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { limit = usualLimit, json }: LoopsFlags & JsonFlag,
  target?: string,
): Promise<void> => {
  const found = await connect().loops({ cwd: cwd(), target, limit })
  if (json) out.document(found)
  else out.line(loopTable(found, now(), limit))
}
