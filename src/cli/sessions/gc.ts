import type { CliContext, JsonFlag } from '../context.ts'
import { collectedText } from './move-text.ts'
import { withProgress } from './progress.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const collected = await withProgress(out, (onProgress) => connect().collectSessions(undefined, onProgress))
  if (json) out.document(collected)
  else out.line(collectedText(collected))
}
