import { diffText } from './changes-text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { patch }: { patch?: boolean }, target: string, from: string, to?: string) =>
    connect().sessionDiff({ cwd: cwd(), target, from, to, patch }),
  (diff, { out }) => diffText(diff, out),
)
