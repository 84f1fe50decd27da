import { roomTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { all }: { all?: boolean }) => connect().rooms({ cwd: cwd(), all }),
  (rooms, { now, out }) => roomTable(rooms, now(), out.columns),
)
