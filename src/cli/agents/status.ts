import type { AgentView } from '../../contract/routes/agents.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { run as list } from './ps.ts'
import { countStates, statusSegment } from './state-counts.ts'

/** With --short: one segment for a prompt. It must never delay one, so it starts no daemon and complains of nothing. */
export const run = async (
  context: CliContext,
  { short, all, json }: { short?: boolean; all?: boolean } & JsonFlag,
): Promise<void> => {
  if (!short) return list(context, { all, json })
  const agents = await readAgents(context)
  if (json) return context.out.document(countStates(agents))
  const segment = statusSegment(agents)
  if (segment !== '') context.out.line(segment)
}

const promptLimitMs = 1_000

const readAgents = ({ connect }: CliContext): Promise<AgentView[]> =>
  connect({ start: false, timeoutMs: promptLimitMs })
    .ps({})
    .catch(() => [])
