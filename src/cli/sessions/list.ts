import type { CliContext, JsonFlag } from '../context.ts'
import { sessionTable, usualLimit } from './text.ts'

export interface ListFlags {
  all?: boolean
  limit?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { all, limit = usualLimit, json }: ListFlags & JsonFlag,
): Promise<void> => {
  const sessions = await connect().sessions({ cwd: cwd(), all, limit })
  if (json) out.document(sessions)
  else out.line(sessionTable(sessions, now(), limit))
}
