import type { CliContext, JsonFlag } from '../context.ts'
import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'

export interface MoveFlags {
  preview?: boolean
  stop?: boolean
  force?: boolean
}

/** Takes the last move back, or what was taken back. */
export const goBack =
  (kind: 'undo' | 'redo') =>
  async (
    { connect, out, cwd }: CliContext,
    { preview, stop, force, json }: MoveFlags & JsonFlag,
    target: string,
  ): Promise<void> => {
    const input = { cwd: cwd(), target, preview, stop, force }
    const moved = await withProgress(out, (onProgress) => connect()[kind](input, onProgress))
    if (json) out.document(moved)
    else out.line(movedText(moved, out.style))
  }
