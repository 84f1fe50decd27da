import type { Agent, HostKind } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { Host } from '../contract/host.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Driver } from '../drivers/contract.ts'
import type { CursorMove } from '../log/writer.ts'

/** What supervision needs of the world, and whom it tells. */
export interface SupervisorPorts {
  append(records: AnyNewRecord[], cursors?: CursorMove[]): Promise<unknown>
  /** How far a transcript's turns have been written down. */
  cursor(topic: string): number
  now(): number
  newId(prefix: string): string
  driver(name: string): Driver
  host(kind: HostKind, driver: Driver): Host
  agentDir(id: string): string
  /** Something went wrong with one agent; the others go on. */
  onTrouble(where: string, cause: unknown): void
  onEntry(agent: Agent, entry: ConversationEntry): void
  onRead(agent: Agent): void
  /** The agent's context is another one now. */
  onNewContext(agent: Agent): void
  onChange(agent: Agent, before: Agent | null, record: AnyNewRecord): void
}
