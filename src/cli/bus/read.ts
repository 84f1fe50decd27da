import { eventsText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { type, all, limit }: { type?: string; all?: boolean; limit?: number }, id?: string) =>
    connect().events({ cwd: cwd(), id, type, all, limit, take: true }),
  (read, { now, out }) => eventsText(read, now(), out),
)
