/** What reached the model, kept for assertions. */
import type { IncomingMessage } from 'node:http'
import type { Answer, Kind } from './director.ts'
import { allText, newText, systemText } from './request.ts'
import type { MessagesBody } from './request.ts'
import { formatScript } from './script.ts'

/** `aborted`: the client went away before the reply was complete, or the script dropped it. */
export type Outcome = 'answered' | 'aborted'

/** One request to /v1/messages. */
export class SimRequest {
  readonly index: number
  readonly at = new Date()
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: MessagesBody
  readonly kind: Kind
  /** The steps that answer it, as a script. */
  readonly reply: string
  /** Resolves when the reply is complete or given up. */
  readonly outcome: Promise<Outcome>
  #aborted = false

  constructor(index: number, incoming: IncomingMessage, body: MessagesBody, answer: Answer, outcome: Promise<Outcome>) {
    this.index = index
    this.method = incoming.method ?? ''
    this.path = incoming.url ?? ''
    this.headers = ofInterest(incoming.headers)
    this.body = body
    this.kind = answer.kind
    this.reply = formatScript(answer.steps)
    this.outcome = outcome
    void outcome.then((how) => (this.#aborted = how === 'aborted'))
  }

  /** Has tools: the work itself, of the main agent or a sub-agent. */
  get isMain(): boolean {
    return (this.body.tools ?? []).length > 0
  }

  /** The sub-agent that asks; undefined for the main agent. */
  get agentId(): string | undefined {
    return this.headers['x-claude-code-agent-id']
  }

  /** All text of the messages, tool results and mid-conversation system messages included. */
  get text(): string {
    return allText(this.body)
  }

  /** The part of `text` that came after the last assistant message. */
  get newText(): string {
    return newText(this.body)
  }

  get systemText(): string {
    return systemText(this.body)
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

  add(incoming: IncomingMessage, body: MessagesBody, answer: Answer, outcome: Promise<Outcome>): void {
    const request = new SimRequest(this.requests.length, incoming, body, answer, outcome)
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

const HEADERS_OF_INTEREST = /^(?:user-agent|x-app|x-claude-code-.*|anthropic-.*|x-stainless-retry-count)$/

function ofInterest(headers: IncomingMessage['headers']): Record<string, string> {
  const wanted = Object.entries(headers).filter(([name]) => HEADERS_OF_INTEREST.test(name))
  return Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]))
}
