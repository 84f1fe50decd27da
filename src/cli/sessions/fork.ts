import path from 'node:path'
import { forkedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, out, cwd }, flags: { worktree?: string; as?: string }, target: string, turn?: string) => {
    // Empty: the daemon chooses the directory.
    const worktree = flags.worktree ? path.resolve(cwd(), flags.worktree) : flags.worktree
    const input = { cwd: cwd(), target, turn, handle: flags.as, worktree }
    return withProgress(out, (onProgress) => connect().fork(input, onProgress))
  },
  forkedText,
)
