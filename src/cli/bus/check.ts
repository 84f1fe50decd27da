import { eventTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().events({ cwd: cwd() }),
  (open, { now, out }) => eventTable(open, now(), out),
)
