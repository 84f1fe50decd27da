import { leasesText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, lease: string) => connect().releaseLease({ cwd: cwd(), lease }),
  (released, { now, out }) => leasesText(released, now(), out),
)
