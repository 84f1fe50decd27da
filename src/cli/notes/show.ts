import type { CliContext, JsonFlag } from '../context.ts'
import { shownNote } from './text.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag, name: string): Promise<void> => {
  const note = await connect().showNote({ cwd: cwd(), name })
  if (json) out.document(note)
  else out.line(shownNote(note, out))
}
