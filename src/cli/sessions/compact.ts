import type { CliContext, JsonFlag } from '../context.ts'
import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'

export interface CompactFlags {
  stop?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { stop, json }: CompactFlags & JsonFlag,
  target: string,
): Promise<void> => {
  const moved = await withProgress(out, (onProgress) => connect().compact({ cwd: cwd(), target, stop }, onProgress))
  if (json) out.document(moved)
  else out.line(movedText(moved, out.style))
}
