import { collectedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, out }) => withProgress(out, (onProgress) => connect().collectSessions(undefined, onProgress)),
  (collected, { out }) => collectedText(collected, out.columns),
)
