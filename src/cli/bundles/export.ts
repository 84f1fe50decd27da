import path from 'node:path'
import { exportedText } from './text.ts'
import { withProgress } from '../sessions/progress.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  (
    { connect, out, cwd },
    { turns, redact, output }: { turns?: { first?: string; last?: string }; redact?: boolean; output: string },
    target: string,
  ) => {
    const input = { cwd: cwd(), target, turns, redact, file: path.resolve(cwd(), output) }
    return withProgress(out, (onProgress) => connect().exportSession(input, onProgress))
  },
  (exported, { out }) => exportedText(exported, out.style),
)
