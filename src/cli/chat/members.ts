import type { CliContext, JsonFlag } from '../context.ts'
import { memberTable } from './text.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag, room: string): Promise<void> => {
  const members = await connect().members({ cwd: cwd(), room })
  if (json) out.document(members)
  else out.line(memberTable(members))
}
