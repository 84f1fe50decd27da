import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, out, cwd }, { stop }: { stop?: boolean }, target: string) =>
    withProgress(out, (onProgress) => connect().compact({ cwd: cwd(), target, stop }, onProgress)),
  (moved, { out }) => movedText(moved, out.style),
)
