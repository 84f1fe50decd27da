import { prunedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { until, keepBytes }: { until?: number; keepBytes?: number }) =>
    connect().pruneEvents({ cwd: cwd(), olderThanMs: until, keepBytes }),
  prunedText,
)
