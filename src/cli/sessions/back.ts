import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import { showAnswer } from '../show-answer.ts'

export interface MoveFlags {
  dryRun?: boolean
  stop?: boolean
  force?: boolean
}

/** Takes the last move back, or does again what was taken back. */
export const goBack = (kind: 'undo' | 'redo') =>
  showAnswer(
    ({ connect, out, cwd }, { dryRun, stop, force }: MoveFlags, target: string) => {
      const input = { cwd: cwd(), target, preview: dryRun, stop, force }
      return withProgress(out, (onProgress) => connect()[kind](input, onProgress))
    },
    (moved, { out }) => movedText(moved, out.style),
  )
