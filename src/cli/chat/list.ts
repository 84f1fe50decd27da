import type { CliContext, JsonFlag } from '../context.ts'
import { roomTable } from './text.ts'

export interface ListFlags {
  all?: boolean
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { all, json }: ListFlags & JsonFlag,
): Promise<void> => {
  const rooms = await connect().rooms({ cwd: cwd(), all })
  if (json) out.document(rooms)
  else out.line(roomTable(rooms, now()))
}
