import type { CliContext, JsonFlag } from '../context.ts'
import { roomTable } from './text.ts'

export interface CreateFlags {
  about?: string
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { about, json }: CreateFlags & JsonFlag,
  room: string,
): Promise<void> => {
  const created = await connect().createRoom({ cwd: cwd(), room, about })
  if (json) out.document(created)
  else out.line(roomTable([created], now()))
}
