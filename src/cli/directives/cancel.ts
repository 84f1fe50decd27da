import { headline } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }, _: object, id: string) => connect().cancel({ id }),
  (receipt, { out }) => headline(receipt, out.style),
)
