import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }) => connect().rebuild(),
  ({ records, skipped }) =>
    `The current state was made again from ${records} records.${skipped.length === 0 ? '' : ` Left out, because they cannot be read: ${skipped.join(', ')}.`}`,
)
