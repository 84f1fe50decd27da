import path from 'node:path'
import { inspectedText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { withProgress } from '../sessions/progress.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag, file: string): Promise<void> => {
  const input = { file: path.resolve(cwd(), file) }
  const inspected = await withProgress(out, (onProgress) => connect().inspectBundle(input, onProgress))
  if (json) out.document(inspected)
  else out.line(inspectedText(inspected, now(), out.style))
}
