import { prunedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd, now }, { until, keepBytes }: { until?: number; keepBytes?: number }) =>
    connect().pruneEvents({ cwd: cwd(), olderThanMs: until === undefined ? undefined : Math.max(0, now() - until), keepBytes }),
  prunedText,
)
