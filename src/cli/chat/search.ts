import type { CliContext, JsonFlag } from '../context.ts'
import { postsText } from './text.ts'

export interface SearchFlags {
  limit?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { limit, json }: SearchFlags & JsonFlag,
  room: string,
  search: string,
): Promise<void> => {
  const found = await connect().posts({ cwd: cwd(), room, search, limit })
  if (json) out.document(found)
  else out.line(postsText(found, now(), out))
}
