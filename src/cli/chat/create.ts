import { roomTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { about }: { about?: string }, room: string) => connect().createRoom({ cwd: cwd(), room, about }),
  (created, { now }) => roomTable([created], now()),
)
