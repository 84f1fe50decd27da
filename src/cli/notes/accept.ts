import type { CliContext, JsonFlag } from '../context.ts'
import { shownPath } from '../safe-text.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag, name: string): Promise<void> => {
  const accepted = await connect().acceptNote({ cwd: cwd(), name })
  if (json) out.document(accepted)
  else out.line(`Written to ${shownPath(accepted.file)}.`)
}
