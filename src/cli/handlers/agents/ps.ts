import { agentTable } from '../../agent-text.ts'
import type { CliContext, JsonFlag } from '../../context.ts'

export interface PsFlags {
  all?: boolean
}

export const run = async ({ connect, out, now }: CliContext, { all, json }: PsFlags & JsonFlag): Promise<void> => {
  const agents = await connect().ps({ all })
  if (json) out.document(agents)
  else out.line(agentTable(agents, now(), out.style))
}
