import path from 'node:path'
import { inspectedText } from './text.ts'
import { withProgress } from '../sessions/progress.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, out, cwd }, _: object, file: string) => {
    const input = { file: path.resolve(cwd(), file) }
    return withProgress(out, (onProgress) => connect().inspectBundle(input, onProgress))
  },
  (inspected, { now, out }) => inspectedText(inspected, now(), out.style, out.columns, out),
)
