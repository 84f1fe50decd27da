/** What reached the model, kept for assertions. */
import type { IncomingMessage } from 'node:http'
import type { Answer, Kind } from './director.ts'
import { selectNewMessages, type Received, joinTexts, type Tool } from './received.ts'
import { formatScript } from './script.ts'
import type { Wire } from './wires/wire.ts'

/** `aborted`: the client went away before the reply was complete, or the script dropped it. */
export type Outcome = 'answered' | 'aborted'

/** What a request came with. */
interface Arrival {
  incoming: IncomingMessage
  wire: Wire['name']
  body: unknown
  received: Received
}

/** One request for a reply. */
export class SimRequest {
  readonly index: number
  readonly at = new Date()
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The API it came over. */
  readonly wire: Wire['name']
  readonly body: unknown
  readonly kind: Kind
  /** The steps that answer it, as a script. */
  readonly reply: string
  /** Resolves when the reply is complete or given up. */
  readonly outcome: Promise<Outcome>
  readonly #received: Received
  #aborted = false

  constructor(index: number, arrival: Arrival, answer: Answer, outcome: Promise<Outcome>) {
    const { incoming, wire, body, received } = arrival
    this.index = index
    this.method = incoming.method ?? ''
    this.path = incoming.url ?? ''
    const wanted = Object.entries(incoming.headers).filter(([name]) => headersOfInterest.test(name))
    this.headers = Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]))
    this.wire = wire
    this.body = body
    this.#received = received
    this.kind = answer.kind
    this.reply = formatScript(answer.steps)
    this.outcome = outcome
    void outcome.then((how) => (this.#aborted = how === 'aborted'))
  }

  /** Has tools: the work itself, of the main agent or a sub-agent. */
  get isMain(): boolean {
    return this.#received.tools.length > 0
  }

  /** The tools that the model may call. */
  get tools(): readonly Tool[] {
    return this.#received.tools
  }

  /** The client's own name for the conversation, if it gives one. */
  get conversation(): string | undefined {
    return this.#received.conversation
  }

  /** The sub-agent that asks; undefined for the main agent. */
  get agentId(): string | undefined {
    return this.headers['x-claude-code-agent-id']
  }

  /** All text of the messages, tool results and mid-conversation system messages included. */
  get text(): string {
    return joinTexts(this.#received.messages)
  }

  /** The part of `text` that came after the last assistant message. */
  get newText(): string {
    return joinTexts(selectNewMessages(this.#received))
  }

  get systemText(): string {
    return this.#received.system
  }

  get aborted(): boolean {
    return this.#aborted
  }
}

interface Waiter {
  match: (request: SimRequest) => boolean
  resolve: (request: SimRequest) => void
  reject: (error: Error) => void
}

export class Recorder {
  readonly requests: SimRequest[] = []
  #waiters: Waiter[] = []

  add(arrival: Arrival, answer: Answer, outcome: Promise<Outcome>): void {
    const request = new SimRequest(this.requests.length, arrival, answer, outcome)
    this.requests.push(request)
    const wanted = this.#waiters.filter(({ match }) => match(request))
    this.#waiters = this.#waiters.filter((waiter) => !wanted.includes(waiter))
    for (const waiter of wanted) waiter.resolve(request)
  }

  next(match: (request: SimRequest) => boolean, from = 0): Promise<SimRequest> {
    const found = this.requests.slice(from).find(match)
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve, reject) => this.#waiters.push({ match, resolve, reject }))
  }

  close(): void {
    for (const { reject } of this.#waiters) reject(new Error('the scripted model was closed'))
    this.#waiters = []
  }
}

const headersOfInterest =
  /^(?:user-agent|x-app|x-claude-code-.*|anthropic-.*|x-stainless-retry-count|thread-id|x-codex-.*|x-initiator|x-session-id)$/
