import { taskTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().tasks({ cwd: cwd() }),
  (tasks, { now, out }) => taskTable(tasks, now(), out.columns),
)
