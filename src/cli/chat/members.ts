import { memberTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, room: string) => connect().members({ cwd: cwd(), room }),
  (members, { out }) => memberTable(members, out),
)
