import { decisionsText, usualLast } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { last = usualLast, search }: { last?: number; search?: string }) =>
    connect().decisions({ cwd: cwd(), last, search }),
  (listed, { now, out }) => decisionsText(listed, now(), out),
)
