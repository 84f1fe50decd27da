import type { CliContext, JsonFlag } from '../context.ts'
import { statsText } from './stats-text.ts'

export interface StatsFlags {
  all?: boolean
  days?: number
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { all, days, json }: StatsFlags & JsonFlag,
): Promise<void> => {
  const stats = await connect().memoryStats({ cwd: cwd(), all, days })
  if (json) out.document(stats)
  else out.line(statsText(stats, out.style))
}
