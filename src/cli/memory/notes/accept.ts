import { shownPath } from '../../safe-text.ts'
import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, name: string) => connect().acceptNote({ cwd: cwd(), name }),
  ({ file }) => `Written to ${shownPath(file)}.`,
)
