import { type AgentNeeds, type Agents, type Audience, createAgents } from '../agents/agents.ts'
import type { Base } from '../base/base.ts'
import type { Routes } from '../contract/routes/route.ts'
import type { Part } from '../features/feature.ts'
import { leases } from '../features/leases/feature.ts'
import { loops } from '../features/loops/feature.ts'
import { memory } from '../features/memory/feature.ts'
import { notes } from '../features/notes/feature.ts'
import { rules } from '../features/rules/feature.ts'
import { sessions } from '../features/sessions/feature.ts'
import type { Inbox } from '../features/inbox/inbox.ts'
import type { Tools } from '../mcp/tool.ts'

/** All features: started in this order, stopped in the reverse. */
const list = [sessions, memory, loops, rules, leases, notes] as const

type Listed = (typeof list)[number]
type PartOf<F extends Listed> = ReturnType<F['create']>

/** What features offer to each other, by their names. */
export type Apis = { [F in Listed as F['name']]: PartOf<F>['api'] }

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type FeatureHandlers = Intersection<PartOf<Listed>['handlers']>

/** Supplied by what is no feature yet. */
export type Legacy = Omit<AgentNeeds, keyof Apis> & {
  inbox: { inbox: Inbox }
}
type Others = Apis & Legacy

type AnyPart = Omit<Part<Routes, unknown>, 'handlers'> & { handlers: object }

/** Here it is an error of types if a feature needs something that no other offers. */
const features: readonly { name: string; create: (base: Base, agents: Agents, others: Others) => AnyPart }[] = list

export interface Composed {
  agents: Agents
  apis: Apis
  /** A route without a handler is an error of types where all handlers are put together. */
  handlers: FeatureHandlers
  mcpTools: Tools
  open: () => Promise<void>
  start: () => void
  /** Resolves when all of them have come to their end. */
  stop: () => Promise<unknown>
  reload: () => void
}

/** Creates agents and features, and tells them of each other. */
export const composeFeatures = (
  base: Base,
  legacy: Legacy & { compose: (agents: Agents, apis: Apis) => Audience },
): Composed => {
  const parts = new Map<string, AnyPart>()
  const others = { ...legacy } as unknown as Others
  for (const { name } of features)
    Object.defineProperty(others, name, {
      get: () => {
        const part = parts.get(name)
        if (part === undefined) throw new Error(`The feature ${name} is used while features are being created.`)
        return part.api
      },
    })
  const { agents, connect } = createAgents(base, others)
  for (const { name, create } of features) parts.set(name, create(base, agents, others))
  const all = [...parts.values()]
  const rest = legacy.compose(agents, others)
  connect({
    watchers: [...rest.watchers, ...all.flatMap(({ watchers = [] }) => watchers)],
    responders: [...rest.responders, ...all.flatMap(({ responders = [] }) => responders)],
  })
  return {
    agents,
    apis: others,
    handlers: Object.assign({}, ...all.map(({ handlers }) => handlers)),
    mcpTools: Object.assign({}, ...all.map(({ mcpTools }) => mcpTools)),
    open: async () => {
      for (const part of all) await part.open?.()
    },
    start: () => all.forEach((part) => part.start?.()),
    stop: () => Promise.allSettled(all.toReversed().map(async (part) => part.stop?.())),
    reload: () => all.forEach((part) => part.reload?.()),
  }
}
