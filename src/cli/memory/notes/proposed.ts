import { proposedText } from './text.ts'
import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().proposedNotes({ cwd: cwd() }),
  (open, { now, out }) => proposedText(open, now(), out),
)
