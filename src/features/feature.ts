import type { AgentWatcher } from '../agents/agent-events.ts'
import type { Agents } from '../agents/agents.ts'
import type { Base } from '../base/base.ts'
import type { Responder } from '../contract/hooks.ts'
import type { Handlers, Routes } from '../contract/routes/route.ts'
import type { Tools } from '../mcp/tool.ts'

/**
 * One feature of the daemon, in one folder. `Needs` says what it uses of other features, in its own words; each is found
 * when it is used, not while features are created, so their order in the list does not matter for that.
 */
export interface Feature<Name extends string, R extends Routes, Needs extends object, Api> {
  name: Name
  create: (base: Base, agents: Agents, others: Needs) => Part<R, Api>
}

/** What a feature brings to the daemon. */
export interface Part<R extends Routes, Api> {
  handlers: Handlers<R>
  /** Answer the hooks of agents. */
  responders?: readonly Responder[]
  /** Are told what happens to agents. */
  watchers?: readonly AgentWatcher[]
  mcpTools?: Tools
  /** Before agents are adopted and requests are served. */
  open?: () => void | Promise<void>
  /** Agents are adopted, and requests are served. */
  start?: () => void
  /** In the reverse order of starting. What it promises is waited for, up to a limit. */
  stop?: () => unknown
  /** The tables were rebuilt from the records. */
  reload?: () => void
  /** What other features may use. */
  api: Api
}
