import { prunedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { olderThan, keepBytes }: { olderThan?: number; keepBytes?: number }) =>
    connect().pruneEvents({ cwd: cwd(), olderThanMs: olderThan, keepBytes }),
  prunedText,
)
