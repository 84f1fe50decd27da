import { shownNote } from './text.ts'
import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, name: string) => connect().showNote({ cwd: cwd(), name }),
  (note, { out }) => shownNote(note, out),
)
