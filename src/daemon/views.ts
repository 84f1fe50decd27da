import { type Agent, isAlive, openQuestion } from '../contract/agent.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import type { AgentView } from '../contract/routes/agents.ts'
import type { InboxItemView } from '../contract/routes/directives.ts'
import { countStates } from '../features/inbox/store.ts'
import type { Item } from '../features/inbox/receipt.ts'
import type { Database } from '../base/store/sqlite.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import type { Settings } from '../base/config/settings.ts'
import { weakenedBy } from '../agents/weakened.ts'

const excerptLength = 120

interface ViewParts {
  reader: Database
  supervisor: Supervisor
  paths: ReinPaths
  settings: Settings
}

/** An agent as the commands show it. */
export const agentView = (parts: ViewParts, agent: Agent): AgentView => {
  const { reader, supervisor } = parts
  const { handle, project, driver, version, host, state, since, cwd, conversation } = agent
  const { until, isPaused, pauseReason, crashes, health } = agent
  const counts = countStates(reader, agent.id)
  const of = (...states: ('queued' | 'held' | 'offered' | 'placed' | 'seen' | 'acked')[]) =>
    states.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0)
  const inbox = {
    queued: of('queued', 'held'),
    offered: of('offered'),
    placed: of('placed'),
    seen: of('seen'),
    acked: of('acked'),
  }
  return {
    handle,
    project,
    driver,
    version,
    host,
    state,
    since,
    cwd,
    pid: agent.process?.pid ?? null,
    conversation,
    question: openQuestion(agent),
    inbox,
    until,
    isPaused,
    pauseReason,
    crashes: crashes.length,
    health,
    weakened: weakenedBy(parts, agent),
    wake: isAlive(state) ? supervisor.wayToWake(agent.id) : null,
  }
}

/** A directive as a list shows it. */
export const inboxView = ({ directive, state }: Item): InboxItemView => {
  const { id, agent, type, priority, from, acceptedAt, expiresAt, text } = directive
  const line = text.replace(/\s+/g, ' ').trim()
  const excerpt = line.length > excerptLength ? `${line.slice(0, excerptLength - 1)}…` : line
  return {
    id,
    handle: agent.handle,
    project: agent.project,
    state,
    type,
    priority,
    from,
    at: acceptedAt,
    expiresAt,
    length: text.length,
    excerpt,
  }
}
