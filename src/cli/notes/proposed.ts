import type { CliContext, JsonFlag } from '../context.ts'
import { proposedText } from './text.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const open = await connect().proposedNotes({ cwd: cwd() })
  if (json) out.document(open)
  else out.line(proposedText(open, now(), out))
}
