import { notesTable } from './text.ts'
import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }) => connect().notes({ cwd: cwd() }),
  (listed, { out }) => notesTable(listed, out.columns),
)
