import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { AgentView, WatchInput } from '../../contract/routes/agents.ts'
import { createDetails } from '../agent-detail.ts'
import type { Services } from '../services.ts'
import { chosenAgents } from './agents.ts'
import { agentView } from '../views.ts'

/** Nobody reads faster. */
const pauseMs = 100

/** All agents now, and again whenever something about them changed. */
export async function* watch(
  services: Services,
  { all, detail }: z.infer<typeof WatchInput>,
  signal: AbortSignal,
): AsyncGenerator<{ agents: AgentView[] }> {
  const { log } = services
  const detailOf = createDetails(services)
  let shown = ''
  for await (const _ of log.changes(['agents', 'directives', ...(detail ? ['turns'] : [])], signal)) {
    const agents = chosenAgents(services.supervisor, all).map((agent) =>
      detail ? { ...agentView(services, agent), detail: detailOf(agent) } : agentView(services, agent),
    )
    const text = JSON.stringify(agents)
    if (text === shown) continue
    shown = text
    yield { agents }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
