import { headline } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }, { note }: { note?: string }, id: string) => connect().ack({ id, note }),
  (receipt, { out }) => headline(receipt, out.style),
)
