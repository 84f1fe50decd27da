import { loopTable } from './loops-text.ts'
import { showAnswer } from '../show-answer.ts'

const usualLimit = 50

export const run = showAnswer(
  ({ connect, cwd }, { limit = usualLimit }: { limit?: number }, target?: string) =>
    connect().loops({ cwd: cwd(), target, limit }),
  (found, { now, out }, { limit = usualLimit }) => loopTable(found, now(), limit, out.columns),
)
