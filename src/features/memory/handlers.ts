import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { memoryRoutes } from '../../contract/routes/memory.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { drivers } from '../../drivers/registry.ts'
import type { Adviser } from './advise/adviser.ts'
import type { Remembered } from './capture/remembered.ts'
import { firstOf } from './figures/days.ts'
import { statsOf } from './figures/stats.ts'
import type { Memory } from './memory.ts'
import { adviceRows, searchCommands } from './store.ts'
import { forgetCommands } from './forgetting.ts'
import { ingestHandlers } from './ingest.ts'
import type { Recall } from './recall.ts'
import type { Shells } from './shells.ts'

interface Parts {
  memory: Memory
  adviser: Adviser
  remembered: Remembered
  shells: Shells
  recall: Recall
  forgetCopies: () => void
}

export const memoryHandlers = (base: Base, agents: Agents, parts: Parts): Handlers<typeof memoryRoutes> => {
  const { reader, now, settings } = base
  const { supervisor, projects, finder } = agents
  const { shells, recall } = parts
  const withHandle = <T extends { agent: string | null }>(row: T): T => ({
    ...row,
    agent: row.agent === null ? null : (supervisor.get(row.agent)?.handle ?? row.agent),
  })
  const fileTools = (author: string, agent: string | null) => {
    const driver = drivers.find(({ name }) => name === author)
    return driver?.fileTools(supervisor.get(agent ?? '')?.version ?? driver.minVersion) ?? null
  }
  return {
    ...ingestHandlers(settings, agents, parts),
    suggest: async ({ actor, input }) =>
      recall.suggest(await finder.pinned(actor, input), actor.kind === 'agent' ? 'model' : 'person'),
    diagnose: async ({ actor, input }) =>
      recall.diagnose(await finder.pinned(actor, input), actor.kind === 'agent' ? 'model' : 'person'),
    projectCommands: async ({ actor, input }) => recall.describeProject(await finder.pinned(actor, input)),
    history: async ({ actor, input }) => {
      const { cwd, text, all, exit, author, since, until, limit } = await finder.pinned(actor, input)
      await shells.upToDate()
      const rows = searchCommands(reader, {
        project: all ? null : await projects.of(cwd),
        text,
        exit: exit ?? null,
        author: author ?? null,
        agents: supervisor.agents.filter(({ handle }) => handle === author).map(({ id }) => id),
        since: since ?? null,
        until: until ?? null,
        limit,
      })
      return rows.map(({ position: _position, ...row }) => withHandle(row))
    },
    forget: ({ actor, input }) => forgetCommands(base, agents, parts, actor, input),
    memoryStats: async ({ input: { all, days, ...here } }) => {
      const project = all ? null : await finder.projectAt(here)
      return statsOf(reader, { project, since: firstOf(days, now()), now: now(), tools: fileTools })
    },
    adviceLog: async ({ input: { all, shown, session, limit, after, ...here } }) => {
      const project = all ? null : await finder.projectAt(here)
      const wanted = { project, session: session ?? null, isShown: shown, after: after ?? null, limit }
      return adviceRows(reader, wanted).map(({ id: _id, author: _author, ...row }) => withHandle(row))
    },
  }
}
