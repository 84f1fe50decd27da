import { projectText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().projectCommands({ cwd: cwd() }),
  (project, { now, out }) => projectText(project, now(), out),
)
