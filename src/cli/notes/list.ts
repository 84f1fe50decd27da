import type { CliContext, JsonFlag } from '../context.ts'
import { notesTable } from './text.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag): Promise<void> => {
  const found = await connect().notes({ cwd: cwd() })
  if (json) out.document(found)
  else out.line(notesTable(found))
}
