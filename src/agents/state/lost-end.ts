import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { Evidence } from '../../contract/identity.ts'
import { hookEvidence, isAtWork } from './machine.ts'

/** Other people's hooks may keep a turn from ending for a while. */
const patienceMs = 30_000
/** The stream of an agent is a file: one that found no room says nothing more of this turn. */
const withoutRoomMs = 3000

/**
 * Finds the end of a headless agent's turn that its own stream did not tell, because there was no room for the words.
 * Its hooks and its transcript know, too; they are believed when the stream stays silent after them.
 */
export class LostEnd {
  /** Who says that the turn is over, and when that was heard. */
  #said: { evidence: Evidence; at: number } | null = null
  #streamAt = 0
  #lacksRoom = false

  heardStream(now: number): void {
    this.#streamAt = now
  }

  heardHook(call: HookCall, goesOn: boolean, now: number): void {
    if (call.subagent !== null || call.event === 'session_end') return
    const isEnd = (call.event === 'stop' && !goesOn) || call.event === 'stop_failed'
    this.#said = isEnd ? { evidence: hookEvidence(call), at: now } : null
  }

  /** A reply that calls no tool is the last one, unless another follows. */
  heardEntry(entry: ConversationEntry, now: number): void {
    if (entry.kind === 'prompt' || entry.kind === 'tool_result') this.#said = null
    if (entry.kind !== 'assistant') return
    const isLast = entry.isReply && entry.blocks.some(({ type }) => type === 'text')
    const evidence: Evidence = { source: 'transcript', entry: entry.id }
    this.#said = isLast && entry.blocks.every(({ type }) => type !== 'tool_use') ? { evidence, at: now } : null
  }

  /** Why the turn is over, if it is; `hasRoom`: whether there is room now where the stream is written to. */
  look(agent: Agent, hasRoom: () => boolean, now: number): Evidence | null {
    if (agent.host !== 'stream' || !isAtWork(agent)) {
      this.#lacksRoom = false
      this.#said = null
      return null
    }
    this.#lacksRoom ||= !hasRoom()
    if (this.#said === null) return null
    const silentMs = now - Math.max(this.#said.at, this.#streamAt, agent.since)
    return silentMs >= (this.#lacksRoom ? withoutRoomMs : patienceMs) ? this.#said.evidence : null
  }
}
