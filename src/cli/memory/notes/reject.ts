import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, name: string) => connect().rejectNote({ cwd: cwd(), name }),
  ({ name }) => `${name} is thrown away.`,
)
