import type { CliContext, JsonFlag } from '../context.ts'
import { adviceText } from './text.ts'

export interface LogFlags {
  all?: boolean
  shown?: boolean
  session?: string
  limit?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { json, ...filters }: LogFlags & JsonFlag,
): Promise<void> => {
  const decisions = await connect().adviceLog({ cwd: cwd(), ...filters })
  if (json) out.document(decisions)
  else out.line(adviceText(decisions, { now: now(), ...filters }, out))
}
