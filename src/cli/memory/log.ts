import { adviceText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

interface LogFlags {
  all?: boolean
  shown?: boolean
  session?: string
  limit?: number
}

export const run = showAnswer(
  ({ connect, cwd }, { all, shown, session, limit }: LogFlags) =>
    connect().adviceLog({ cwd: cwd(), all, shown, session, limit }),
  (decisions, { now, out }, flags) => adviceText(decisions, { now: now(), ...flags }, out),
)
