import { foundText, usualLimit } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { all, limit = usualLimit }: { all?: boolean; limit?: number }, text: string) =>
    connect().searchSessions({ cwd: cwd(), all, limit, text }),
  (found, { now, out }, { limit = usualLimit }) => foundText(found, now(), limit, out),
)
