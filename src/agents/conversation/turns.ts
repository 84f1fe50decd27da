import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry, EndedCall } from '../../contract/conversation.ts'
import { byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { kindOf, type WithTools } from '../../drivers/tool-kinds.ts'
import { textOf } from '../../base/util/json.ts'

type TurnRecordType = Extract<RecordType, `turn.${string}`>

interface Turn {
  id: string
  startedAt: number
  hasEnded: boolean
  entries: number
  leaf: ConversationEntry
  usage: ConversationEntry['usage']
}

const roles = { assistant: 'assistant', prompt: 'user', tool_result: 'user' } as const

/** The tokens of the newest reply, for they are what is in the context; what was paid adds up. */
const spent = (before: Turn['usage'], now: Turn['usage']): Turn['usage'] => {
  if (now === null) return before
  const cost = (before?.costUsd ?? 0) + (now.costUsd ?? 0)
  return cost === 0 ? now : { ...now, costUsd: cost }
}

/** Turns the entries of one conversation into records of turns, each with an id of its own: twice read is once written. */
export class TurnTracker {
  readonly #agent: Agent
  readonly #conversation: string
  readonly #driver: WithTools
  readonly #known = new Set<string>()
  readonly #subagents = new Map<string, string>()
  #turn: Turn | null = null

  constructor(agent: Agent, conversation: string, driver: WithTools) {
    this.#agent = agent
    this.#conversation = conversation
    this.#driver = driver
  }

  add(entry: ConversationEntry): AnyNewRecord[] {
    if (this.#known.has(entry.id)) return []
    this.#known.add(entry.id)
    if (entry.kind === 'prompt')
      return [...this.end('next_prompt'), ...this.#start(entry), ...this.#subagentStop(entry.ends, entry)]
    if (this.#turn === null) return []
    this.#turn.leaf = entry
    this.#turn.entries += 1
    this.#turn.usage = spent(this.#turn.usage, entry.usage)
    if (entry.blocks.length === 0) return []
    return [this.#entry(entry), ...this.#subagentRecords(entry), ...this.#subagentStop(entry.ends, entry)]
  }

  /** When the turn began that is not over; null between turns. */
  get openSince(): number | null {
    return this.#turn === null || this.#turn.hasEnded ? null : this.#turn.startedAt
  }

  /** The agent has stopped, or has begun something new: the turn is complete. */
  end(reason: string): AnyNewRecord[] {
    const turn = this.#turn
    if (turn === null || turn.hasEnded) return []
    turn.hasEnded = true
    const { id, leaf, entries, usage } = turn
    return [this.#record('turn.ended', id, leaf.at, { turn: id, leaf: leaf.id, reason, entries, usage })]
  }

  #start(entry: ConversationEntry): AnyNewRecord[] {
    this.#turn = { id: entry.id, startedAt: entry.at, hasEnded: false, entries: 0, leaf: entry, usage: null }
    return [this.#record('turn.started', entry.id, entry.at, { turn: entry.id, prompt: entry.text, entry: entry.id })]
  }

  #entry(entry: ConversationEntry): AnyNewRecord {
    const role = roles[entry.kind as keyof typeof roles] ?? 'system'
    return this.#record('turn.entry', entry.id, entry.at, {
      turn: this.#turnId,
      entry: entry.id,
      role,
      blocks: entry.blocks,
      ...(entry.isReply && entry.usage !== null ? { usage: entry.usage } : {}),
    })
  }

  #subagentRecords(entry: ConversationEntry): AnyNewRecord[] {
    return entry.blocks.flatMap((block) => {
      if (block.type === 'tool_use' && kindOf(this.#driver, block.name) === 'agent') {
        this.#subagents.set(block.id, this.#turnId)
        const kind = textOf(block.input.subagent_type) ?? ''
        const description = textOf(block.input.description) ?? ''
        return [
          this.#record('turn.subagent_started', block.id, entry.at, {
            turn: this.#turnId,
            subagent: block.id,
            kind,
            description,
          }),
        ]
      }
      if (block.type !== 'tool_result' || entry.isLeftRunning === true) return []
      return this.#subagentStop({ call: block.id, result: block.text }, entry)
    })
  }

  #subagentStop(ended: EndedCall | undefined, { at }: ConversationEntry): AnyNewRecord[] {
    if (ended === undefined || !this.#subagents.delete(ended.call)) return []
    const { call: subagent, result } = ended
    return [this.#record('turn.subagent_stopped', subagent, at, { turn: this.#turnId, subagent, result })]
  }

  get #turnId(): string {
    return this.#turn?.id ?? ''
  }

  #record<T extends TurnRecordType>(
    type: T,
    key: string,
    at: number,
    body: Omit<RecordBody<T>, 'conversation'>,
  ): AnyNewRecord {
    const { id: agent, project } = this.#agent
    const id = `${this.#conversation}:${key}:${type}`
    return newRecord(type, { ...body, conversation: this.#conversation } as RecordBody<T>, {
      id,
      at,
      actor: byRein,
      agent,
      project,
    }) as AnyNewRecord
  }
}
