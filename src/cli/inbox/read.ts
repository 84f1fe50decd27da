import { showAnswer } from '../show-answer.ts'

/** Prints the text unchanged: an agent reads it, and its transcript is the evidence. */
export const run = showAnswer(
  ({ connect }, { part = null }: { part?: number | null }, id: string) => connect().read({ id, part }),
  ({ text }) => text,
)
