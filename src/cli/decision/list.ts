import { decisionsText, usualLimit } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { limit = usualLimit, search }: { limit?: number; search?: string }) =>
    connect().decisions({ cwd: cwd(), last: limit, search }),
  (listed, { now, out }) => decisionsText(listed, now(), out),
)
