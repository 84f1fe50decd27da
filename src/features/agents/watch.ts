import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { AgentView, WatchInput } from '../../contract/routes/agents.ts'
import { createDetails } from '../../agents/view/agent-detail.ts'
import type { AgentParts } from './parts.ts'
import { chosenAgents } from './handlers.ts'
import { agentView } from './view.ts'

/** Nobody reads faster. */
const pauseMs = 100

/** All agents now, and again whenever something about them changed. */
export async function* watch(
  parts: AgentParts,
  { all, detail }: z.infer<typeof WatchInput>,
  signal: AbortSignal,
): AsyncGenerator<{ agents: AgentView[] }> {
  const { log } = parts
  const detailOf = createDetails(parts)
  let shown = ''
  for await (const _ of log.changes(['agents', 'directives', ...(detail ? ['turns'] : [])], signal)) {
    const agents = chosenAgents(parts.supervisor, all).map((agent) =>
      detail ? { ...agentView(parts, agent), detail: detailOf(agent) } : agentView(parts, agent),
    )
    const text = JSON.stringify(agents)
    if (text === shown) continue
    shown = text
    yield { agents }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
