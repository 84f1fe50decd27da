import { eventTable } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const open = await connect().events({ cwd: cwd() })
  if (json) out.document(open)
  else out.line(eventTable(open, now()))
}
