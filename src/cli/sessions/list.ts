import { sessionTable, usualLimit } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { all, limit = usualLimit }: { all?: boolean; limit?: number }) =>
    connect().sessions({ cwd: cwd(), all, limit }),
  (sessions, { now, out }, { limit = usualLimit }) => sessionTable(sessions, now(), limit, out.columns, out),
)
