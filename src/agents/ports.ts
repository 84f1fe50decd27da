import type { Agent, HostKind, LaunchRequest } from '../contract/agent.ts'
import type { HookReply } from '../contract/hooks.ts'
import type { Host } from '../contract/host.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Driver, Installed, LaunchContext } from '../drivers/contract.ts'
import type { CursorMove } from '../base/log/writer.ts'
import type { AgentWatcher } from './agent-events.ts'
import type { Asked } from './questions/person-asks.ts'
import type { Launches } from './launch/launches.ts'
import type { OpenConversations } from './conversation/open-conversations.ts'
import type { RestartSettings } from './state/restart.ts'

export type Env = Record<string, string>

/** The dependencies of supervision. */
export interface SupervisorPorts {
  append(records: AnyNewRecord[], cursors?: CursorMove[]): Promise<unknown>
  /** How far a transcript's turns have been written down. */
  cursor(topic: string): number
  now(): number
  newId(prefix: string): string
  driver(name: string): Driver
  host(kind: HostKind, driver: Driver): Host
  agentDir(id: string): string
  /** Throws if the CLI would run commands of a directory that no person has trusted. */
  refuseUntrusted(driver: Driver, request: LaunchRequest, host: HostKind, env: Env): Promise<void>
  /** What a launch needs: the CLI as it is installed (asked, unless somebody just did), what is deployed for it, its environment. */
  context(agent: Agent, host: HostKind, env: Env, installed: Installed | null): Promise<LaunchContext>
  launches: Launches
  /** The environment that an agent was started from, which no record may hold. */
  environment: { keep(id: string, env: Env): void; of(id: string): Env }
  /** Ends what a process of this agent has left running. */
  endLeftovers(id: string): Promise<void>
  restart: RestartSettings
  stopTimeoutMs: number
  bootedAt(): number
  /** What rules and policies say together to a permission that an agent asks for over its protocol. */
  decide(agent: Agent, asked: Asked): Promise<HookReply>
  /** Something that Rein itself has to say to the agent. */
  say(agent: Agent, text: string): void
  /** Reports a failure of one agent; the other agents are not affected. */
  onTrouble(where: string, cause: unknown): void
  /** A restart is over: the agent runs, or is down. */
  onSettled(id: string): void
  /** In their order. They are named when features exist, which is after supervision does. */
  watchers: readonly AgentWatcher[]
}

/** The dependencies of one agent, including what the other agents have open. */
export interface AgentPorts extends SupervisorPorts {
  conversations: OpenConversations
}
