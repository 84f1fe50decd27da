import { ReinError } from '../../contract/errors.ts'
import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import type { MoveFlags } from './back.ts'
import { showAnswer } from '../show-answer.ts'

interface RewindFlags extends MoveFlags {
  code?: boolean
  chat?: boolean
  both?: boolean
}

export const run = showAnswer(
  ({ connect, out, cwd }, flags: RewindFlags, target: string, turn: string) => {
    const [part = 'both', ...others] = (['code', 'chat', 'both'] as const).filter((name) => flags[name])
    if (others.length > 0)
      throw new ReinError(
        'usage',
        'Give only one of --code, --chat and --both.',
        'Files and conversation together: --both, or none of them.',
      )
    const { dryRun, stop, force } = flags
    const input = { cwd: cwd(), target, turn, part, preview: dryRun, stop, force }
    return withProgress(out, (onProgress) => connect().rewind(input, onProgress))
  },
  (moved, { out }) => movedText(moved, out.style),
)
