import type { Agent } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { AnyNewRecord } from '../contract/record.ts'

/** Hears what happens to agents: each watcher in its turn, in one fixed order. */
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
