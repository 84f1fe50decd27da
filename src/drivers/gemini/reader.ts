import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { saysLoggedOut } from '../stream-events.ts'
import type { Json } from '../json.ts'
import { isBeginning, type Message, asMessage, type Piece, splitMessage } from './messages.ts'

/** A piece of the conversation as it is now. */
interface Live {
  entry: string
  key: string
  /** The message in which it was written last: it may be written again under another id. */
  message: string
}

/**
 * Reads the file as the CLI itself does: messages are added, written again, taken back (`$rewindTo`), and the whole
 * conversation is set anew (`$set`) after a cancelled or failed request, a compaction, a resume. What is the same as before
 * keeps its entry; what is no longer there is left behind by the next entry, which hangs on the last that is.
 */
export class TranscriptReader {
  #live: Live[] = []
  /** How much of it was confirmed, while the CLI writes everything anew. */
  #at = 0
  #isAnew = false
  #count = 0
  #time = 0
  readonly #messages = new Set<string>()
  readonly #entries = new Set<string>()
  readonly #calls = new Set<string>()

  /** The entries of the conversation as it is now. */
  get live(): string[] {
    return this.#live.map(({ entry }) => entry)
  }

  read(line: string): ConversationEntry[] {
    this.#count += 1
    const raw = parseObject(line)
    if (raw === null) return []
    const rewound = textOf(raw.$rewindTo)
    if (rewound !== null) return this.#cut(this.#live.findIndex(({ message }) => message === rewound))
    const message = asMessage(raw)
    if (message === null && raw.type === 'error') return this.#noteError(raw)
    if (message !== null) {
      // The same message again has more in it: calls that have run by now.
      if (isBeginning(message)) this.#beginAnew()
      else if (message.type === 'gemini' && message.model !== undefined) this.#isAnew = false
      const isAgain = this.#messages.has(message.id) && !this.#isAnew
      const isNew = ({ call }: Piece): boolean => !isAgain || (call !== null && !this.#calls.has(call))
      return this.#take(message, splitMessage(message).filter(isNew))
    }
    return isObject(raw.$set) && Array.isArray(raw.$set.messages) ? this.#set(raw.$set.messages) : []
  }

  /** Only the person at the terminal gets to see it. */
  #noteError(raw: Json): ConversationEntry[] {
    const said = textOf(raw.content) ?? ''
    if (!said.startsWith('[API Error:') || !saysLoggedOut(said)) return []
    const parent = this.#live.at(-1)?.entry ?? null
    const at = Date.parse(String(raw.timestamp)) || this.#time
    return [{ ...blank, id: String(raw.id), parent, at, link: 'progress', loggedOut: said, raw }]
  }

  #set(messages: unknown[]): ConversationEntry[] {
    this.#beginAnew()
    const entries = messages
      .map(asMessage)
      .filter((message) => message !== null)
      .flatMap((message) => this.#take(message, splitMessage(message)))
    this.#isAnew = false
    return [...entries, ...this.#cut(this.#at)]
  }

  #beginAnew(): void {
    this.#isAnew = true
    this.#at = 0
  }

  /** Everything from here on is no longer in the conversation. */
  #cut(at: number): ConversationEntry[] {
    if (at < 0 || at >= this.#live.length) return []
    this.#live.length = at
    this.#at = at
    return [{ ...blank, id: `cut:${this.#count}`, parent: this.#live.at(-1)?.entry ?? null, at: this.#time }]
  }

  #take(message: Message, pieces: Piece[]): ConversationEntry[] {
    this.#messages.add(message.id)
    this.#time = Date.parse(String(message.timestamp)) || this.#time
    return pieces.flatMap((piece) => {
      const known = this.#isAnew ? this.#live[this.#at] : undefined
      if (known?.key !== piece.key) return [this.#add(message, piece)]
      known.message = message.id
      this.#at += 1
      return []
    })
  }

  #add(message: Message, piece: Piece): ConversationEntry {
    if (this.#isAnew) this.#live.length = this.#at
    const parent = this.#live.at(-1)?.entry ?? null
    const name = `${message.id}:${piece.name}`
    // A message that comes back changed is another entry.
    const id = this.#entries.has(name) ? `${name}:${this.#count}` : name
    this.#entries.add(id)
    this.#live.push({ entry: id, key: piece.key, message: message.id })
    this.#at = this.#live.length
    if (piece.kind === 'assistant' && piece.call !== null) this.#calls.add(piece.call)
    const { kind, text, blocks, usage, isReply } = piece
    const entry = { ...blank, kind, isReply, text, blocks, usage, id, parent, at: this.#time, raw: message }
    if (!this.#isAnew) return entry
    // The CLI only repeats what was there before: no new turn begins with it.
    return { ...entry, kind: kind === 'prompt' ? 'queued_prompt' : kind, blocks: [], usage: null }
  }
}

/** Entries form one chain, with nothing beside it. */
const blank: Omit<ConversationEntry, 'id' | 'parent' | 'at'> = {
  link: 'chain',
  kind: 'other',
  message: null,
  calledBy: null,
  isReply: false,
  text: '',
  blocks: [],
  usage: null,
  raw: {},
}
