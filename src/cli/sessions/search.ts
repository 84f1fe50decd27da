import type { CliContext, JsonFlag } from '../context.ts'
import { foundText, usualLimit } from './text.ts'

export interface SearchFlags {
  all?: boolean
  limit?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { all, limit = usualLimit, json }: SearchFlags & JsonFlag,
  text: string,
): Promise<void> => {
  const found = await connect().searchSessions({ cwd: cwd(), all, limit, text })
  if (json) out.document(found)
  else out.line(foundText(found, now(), limit, out))
}
