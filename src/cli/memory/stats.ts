import { statsText } from './stats-text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { all, days }: { all?: boolean; days?: number }) =>
    connect().memoryStats({ cwd: cwd(), all, days }),
  (stats, { out }) => statsText(stats, out.style),
)
