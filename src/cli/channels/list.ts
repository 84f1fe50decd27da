import { channelsText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }) => connect().channels(),
  (listed, { out }) => channelsText(listed, out.columns),
)
