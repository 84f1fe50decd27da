import { postsText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { limit }: { limit?: number }, room: string, search: string) =>
    connect().posts({ cwd: cwd(), room, search, limit }),
  (found, { now, out }) => postsText(found, now(), out),
)
