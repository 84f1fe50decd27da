import { busStatusText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().busStatus({ cwd: cwd() }),
  (status, { now, out }) => busStatusText(status, now(), out),
)
