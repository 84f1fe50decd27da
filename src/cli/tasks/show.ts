import { showAnswer } from '../show-answer.ts'
import { taskText } from './text.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, name: string) => connect().task({ cwd: cwd(), name }),
  (task, { now, out }) => taskText(task, now(), out.style, out.columns),
)
