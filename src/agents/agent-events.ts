import type { Agent } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { AnyNewRecord } from '../contract/record.ts'

/** Hears what happens to agents. */
export interface AgentWatcher {
  /** Called for every entry of a conversation; all of them come again when it is read again from its beginning. */
  onEntry?(agent: Agent, entry: ConversationEntry): void
  /** The transcript is read as far as it is written. */
  onRead?(agent: Agent): void
  /** The agent has a new context: a new conversation, or a compacted one. */
  onNewContext?(agent: Agent): void
  /** `before` is null for a new agent. */
  onChange?(agent: Agent, before: Agent | null, record: AnyNewRecord): void
}

/** Tells all watchers what happens to agents, in the order in which they were connected. */
export class AgentEvents {
  #watchers: readonly AgentWatcher[] = []

  /** Features exist only after the supervisor does. */
  connect(watchers: readonly AgentWatcher[]): void {
    this.#watchers = watchers
  }

  emitEntry(agent: Agent, entry: ConversationEntry): void {
    for (const one of this.#watchers) one.onEntry?.(agent, entry)
  }

  emitRead(agent: Agent): void {
    for (const one of this.#watchers) one.onRead?.(agent)
  }

  emitNewContext(agent: Agent): void {
    for (const one of this.#watchers) one.onNewContext?.(agent)
  }

  emitChange(agent: Agent, before: Agent | null, record: AnyNewRecord): void {
    for (const one of this.#watchers) one.onChange?.(agent, before, record)
  }
}
