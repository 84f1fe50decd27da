import { eventsText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface ReadFlags {
  type?: string
  all?: boolean
  limit?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { type, all, limit, json }: ReadFlags & JsonFlag,
  id?: string,
): Promise<void> => {
  const read = await connect().events({ cwd: cwd(), id, type, all, limit, take: true })
  if (json) out.document(read)
  else out.line(eventsText(read, now(), out))
}
