import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject, parseObject } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'
import { asObject, type Json } from '../json.ts'
import { assistantEntries, type Draft, errorEntry, type Message, summaryEntry, userEntries } from './entries.ts'
import { query } from './store.ts'

/** One database holds every conversation. */
export const locate = (_: string, __: string, env: NodeJS.ProcessEnv): string => {
  const data = join(env['XDG_DATA_HOME'] || join(env['HOME'] ?? homedir(), '.local', 'share'), 'opencode')
  const name = env['OPENCODE_DB'] || 'opencode.db'
  return isAbsolute(name) ? name : join(data, name)
}

export const format: TranscriptFormat = {
  kind: 'rows',
  query,
  reader: () => {
    const conversation = new Conversation()
    return (row) => conversation.take(String(row.type), parseObject(String(row.data)) ?? {})
  },
}

interface Link {
  entry: string
  message: string
  part: string
}

/** A prompt that surely goes along with the next request: it came when nothing ran, or before the last reply was over. */
interface Waiting extends Message {
  taken: 'idle' | 'in_time' | null
}

/** The newest reply; after one that called tools, another follows at once, or (when a person refused) none does. */
interface Reply {
  id: string
  endedAt: number | null
  calledTools: boolean
}

/** Between two replies of one turn pass milliseconds. */
const betweenRepliesMs = 3000

/**
 * Puts the entries into the order in which the model gets them. A prompt is an entry only from the reply on that was made
 * with it: opencode writes it down at once, but goes on with the reply that it is in the middle of.
 */
class Conversation {
  readonly #messages = new Map<string, Message>()
  readonly #chain: Link[] = []
  readonly #known = new Set<string>()
  #waiting: Waiting[] = []
  #reply: Reply | null = null

  take(type: string, data: Json): ConversationEntry[] {
    if (type === 'message.updated.1') return isObject(data.info) ? this.#message(data.info) : []
    if (type === 'message.part.removed.1') return this.#remove(({ part }) => part === data.partID)
    if (type === 'message.removed.1') {
      const id = String(data.messageID)
      this.#waiting = this.#waiting.filter((prompt) => prompt.id !== id)
      return this.#remove(({ message }) => message === id)
    }
    return isObject(data.part) ? this.#part(data.part) : []
  }

  #message(info: Json): ConversationEntry[] {
    const id = String(info.id)
    const known = this.#messages.get(id)
    if (known !== undefined) known.info = info
    if (info.role === 'user') return known === undefined ? this.#prompted(id, info) : []
    const entries = known === undefined ? this.#replying(id, info) : []
    const endedAt = endOf(info)
    return endedAt === null ? entries : [...entries, ...this.#replied(id, info, endedAt)]
  }

  /** In an idle conversation the request follows the written prompt; otherwise only the next end of a reply shows that. */
  #prompted(id: string, info: Json): ConversationEntry[] {
    const reply = this.#reply
    const since = Number(asObject(info.time).created ?? Number.NaN) - (reply?.endedAt ?? 0)
    const isIdle = reply === null || (reply.endedAt !== null && (!reply.calledTools || since > betweenRepliesMs))
    const taken = isIdle && this.#waiting.length === 0 ? 'idle' : null
    const message: Waiting = { id, info, parts: new Map(), taken }
    this.#messages.set(id, message)
    this.#waiting.push(message)
    return []
  }

  #replying(id: string, info: Json): ConversationEntry[] {
    // A reply that never ended was cut off by the end of its process.
    if (this.#reply?.endedAt === null) this.#takeAll()
    const prompts = this.#waiting.filter(({ taken }) => taken !== null)
    this.#waiting = this.#waiting.filter(({ taken }) => taken === null)
    this.#messages.set(id, { id, info, parts: new Map() })
    this.#reply = { id, endedAt: null, calledTools: false }
    return prompts.flatMap((prompt) => this.#link(prompt, userEntries(prompt)))
  }

  #replied(id: string, info: Json, endedAt: number): ConversationEntry[] {
    const message = this.#messages.get(id)
    if (message === undefined) return []
    const calledTools = info.finish === 'tool-calls' && info.error === undefined
    if (this.#reply?.id === id) this.#reply = { id, endedAt, calledTools }
    this.#takeAll()
    if (hasFailed(info.error)) {
      this.#remove((link) => link.message === id)
      return this.#link(message, [errorEntry(message, info.error, endedAt)])
    }
    return info.summary === true && info.error === undefined ? this.#link(message, [summaryEntry(message)]) : []
  }

  #takeAll(): void {
    for (const prompt of this.#waiting) prompt.taken ??= 'in_time'
  }

  #part(part: Json): ConversationEntry[] {
    const message = this.#messages.get(String(part.messageID))
    if (message === undefined) return []
    message.parts.set(String(part.id), part)
    const prompt = this.#waiting.find(({ id }) => id === message.id)
    if (prompt?.taken === 'in_time') prompt.taken = null
    const { role, summary, error } = message.info
    const isWork = role === 'assistant' && summary !== true && !hasFailed(error)
    return isWork ? this.#link(message, assistantEntries(message, part)) : []
  }

  #link(message: Message, drafts: Draft[]): ConversationEntry[] {
    return drafts.flatMap(({ part, ...draft }) => {
      if (this.#known.has(draft.id)) return []
      this.#known.add(draft.id)
      const parent = this.#chain.at(-1)?.entry ?? null
      this.#chain.push({ entry: draft.id, message: message.id, part })
      return [{ ...draft, parent, link: 'chain' as const }]
    })
  }

  /** What comes next hangs on what is left. */
  #remove(isGone: (link: Link) => boolean): [] {
    const left = this.#chain.filter((link) => !isGone(link))
    this.#chain.splice(0, this.#chain.length, ...left)
    return []
  }
}

const endOf = ({ time }: Json): number | null =>
  isObject(time) && time.completed !== undefined ? Number(time.completed) : null

/** What was interrupted goes to the model all the same; what failed does not. */
const hasFailed = (error: unknown): error is Json => isObject(error) && error.name !== 'MessageAbortedError'
