import { type AgentNeeds, type Agents, createAgents } from '../agents/agents.ts'
import type { Base } from '../base/base.ts'
import type { Routes } from '../contract/routes/route.ts'
import { agents as agentCommands } from '../features/agents/feature.ts'
import { channels } from '../features/channels/feature.ts'
import { deploy } from '../features/deploy/feature.ts'
import { inbox } from '../features/inbox/feature.ts'
import { leases } from '../features/leases/feature.ts'
import { loops } from '../features/loops/feature.ts'
import { memory } from '../features/memory/feature.ts'
import { notes } from '../features/notes/feature.ts'
import { rules } from '../features/rules/feature.ts'
import { sessions } from '../features/sessions/feature.ts'
import { tasks } from '../features/tasks/feature.ts'
import { team } from '../features/team/feature.ts'
import type { Part } from '../features/feature.ts'
import { joinTools, type Tools } from '../mcp/tool.ts'

/** All features: started in this order, stopped in the reverse. The inbox wakes agents, so it comes when all others are there. */
const list = [
  channels,
  team,
  tasks,
  sessions,
  memory,
  loops,
  rules,
  leases,
  notes,
  agentCommands,
  deploy,
  inbox,
] as const

type Listed = (typeof list)[number]
type PartOf<F extends Listed> = ReturnType<F['create']>

/** The API of each feature, by its name. */
type Apis = { [F in Listed as F['name']]: PartOf<F>['api'] }

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type AnyPart = Omit<Part<Routes, unknown>, 'handlers'> & { handlers: object }

/** Here it is an error of types if a feature needs something that no other offers. */
const features: readonly { name: string; create: (base: Base, agents: Agents, others: Apis) => AnyPart }[] = list

export interface Features {
  agents: Agents
  apis: Apis
  /** A route that no feature handles is an error of types in `handlers.ts`. */
  handlers: Intersection<PartOf<Listed>['handlers']>
  mcpTools: Tools
  /** Before agents are adopted. */
  open: () => Promise<void>
  /** Agents are adopted, and the daemon accepts requests. */
  start: () => void
  /** Resolves when all have come to their end; agents run on. */
  stop: () => Promise<unknown>
  /** The tables were rebuilt. */
  reload: () => void
}

/** Creates agents and features, and tells them of each other. */
export const composeFeatures = (base: Base): Features => {
  const parts = new Map<string, AnyPart>()
  const apis = lateApis(parts)
  const needs: AgentNeeds = apis
  const { agents, connect, start, stop } = createAgents(base, needs)
  for (const { name, create } of features) parts.set(name, create(base, agents, apis))
  const all = [...parts.values()]
  connect({
    watchers: all.flatMap(({ watchers = [] }) => watchers),
    responders: all.flatMap(({ responders = [] }) => responders),
  })
  return {
    agents,
    apis,
    handlers: Object.assign({}, ...all.map(({ handlers }) => handlers)),
    mcpTools: joinTools(all.map(({ mcpTools }) => mcpTools)),
    open: async () => {
      for (const part of all) await part.open?.()
    },
    start: () => {
      start()
      for (const part of all) part.start?.()
    },
    stop: () => Promise.allSettled([...all.toReversed().map(async (part) => part.stop?.()), stop()]),
    reload: () => all.forEach((part) => part.reload?.()),
  }
}

/** Each feature is found when it is used, whichever was created first. */
const lateApis = (parts: ReadonlyMap<string, AnyPart>): Apis => {
  const apis = {}
  for (const { name } of features)
    Object.defineProperty(apis, name, {
      get: () => {
        const part = parts.get(name)
        if (part === undefined) throw new Error(`The feature ${name} is used while features are being created.`)
        return part.api
      },
    })
  return apis as Apis
}
