import path from 'node:path'
import { exportedText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { withProgress } from '../sessions/progress.ts'

export interface ExportFlags {
  turns?: { first?: string; last?: string }
  redact?: boolean
  output: string
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { turns, redact, output, json }: ExportFlags & JsonFlag,
  target: string,
): Promise<void> => {
  const input = { cwd: cwd(), target, turns, redact, file: path.resolve(cwd(), output) }
  const exported = await withProgress(out, (onProgress) => connect().exportSession(input, onProgress))
  if (json) out.document(exported)
  else out.line(exportedText(exported, out.style))
}
