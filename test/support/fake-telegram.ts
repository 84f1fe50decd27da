import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Update {
  update_id: number
  [kind: string]: unknown
}

interface Failure {
  code: number
  description: string
  retryAfter?: number
}

export interface SentMessage {
  chat_id: number
  text: string
}

type Params = Record<string, unknown>

/** The part of Telegram's Bot API that a bot without a webhook uses, for one bot. */
export class FakeTelegram {
  readonly token = '123456:fake-token'
  readonly sent: SentMessage[] = []
  /** Every request: its method and what it asked for. */
  readonly requests: { method: string; params: Params }[] = []
  readonly #failures: Record<string, (Failure | undefined)[]> = {}
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  #updates: Update[] = []
  #lastId = 1000
  /** Ends the poll that is open: only one may be. */
  #openPoll = new AbortController()

  /** Listens until the test is over, or `atTheEnd` says. */
  static async start(atTheEnd: (end: () => void) => void = onTestFinished): Promise<FakeTelegram> {
    const fake = new FakeTelegram()
    fake.#server.listen(0, '127.0.0.1')
    await once(fake.#server, 'listening')
    atTheEnd(() => {
      fake.#server.close()
      fake.#server.closeAllConnections()
    })
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Somebody writes to the bot. */
  write(
    words: string,
    { from = 42, chat = from, ...more }: { from?: number; chat?: number; [key: string]: unknown } = {},
  ): number {
    this.#lastId += 1
    const author = { id: from, is_bot: false, first_name: 'Ada', username: `user${from}` }
    const message = { message_id: this.#lastId, date: 1_800_000_000, chat: { id: chat, type: 'private' }, from: author }
    this.update({ update_id: this.#lastId, message: { ...message, text: words, ...more } })
    return this.#lastId
  }

  /** Anything else that can happen. */
  update(update: Update): void {
    this.#updates.push(update)
    this.#events.emit('news')
  }

  /** A request of this method fails: the next one, or the one after so many that succeed. */
  fail(method: string, failure: Failure, after = 0): void {
    const passes = Array.from({ length: after }, () => undefined)
    this.#failures[method] = [...(this.#failures[method] ?? []), ...passes, failure]
  }

  /** How many updates the bot has not confirmed. */
  get unconfirmed(): number {
    return this.#updates.length
  }

  /** Resolves when it is so; looked at after each request. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#events, 'news')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const params = JSON.parse((await text(request)) || '{}') as Params
    const reply = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      this.#events.emit('news')
    }
    const failWith = ({ code, description, retryAfter }: Failure): void =>
      reply(code, {
        ok: false,
        error_code: code,
        description,
        ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
      })
    if (token !== this.token) return failWith({ code: 401, description: 'Unauthorized' })
    this.requests.push({ method, params })
    this.#events.emit('news')
    const failure = this.#failures[method]?.shift()
    if (failure !== undefined) return failWith(failure)
    if (method === 'getMe') return reply(200, { ok: true, result: { id: 123456, is_bot: true, first_name: 'Rein' } })
    if (method === 'getUpdates') return this.#poll(params, response, reply, failWith)
    if (method !== 'sendMessage') return failWith({ code: 404, description: 'Not Found' })
    const wrong = problemOf(params)
    if (wrong !== null) return failWith({ code: 400, description: `Bad Request: ${wrong}` })
    this.sent.push({ chat_id: Number(params['chat_id']), text: String(params['text']) })
    reply(200, { ok: true, result: { message_id: 5000 + this.sent.length } })
  }

  async #poll(
    { offset = 0, timeout = 0 }: Params,
    response: ServerResponse,
    reply: (status: number, body: object) => void,
    failWith: (failure: Failure) => void,
  ): Promise<void> {
    this.#openPoll.abort()
    const poll = new AbortController()
    this.#openPoll = poll
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= Number(offset))
    const over = AbortSignal.any([poll.signal, AbortSignal.timeout(Number(timeout) * 1000)])
    response.once('close', () => poll.abort())
    while (this.#updates.length === 0 && !over.aborted)
      await once(this.#events, 'news', { signal: over }).catch(() => undefined)
    if (poll.signal.aborted)
      return failWith({ code: 409, description: 'Conflict: terminated by other getUpdates request' })
    reply(200, { ok: true, result: this.#updates.slice(0, 100) })
  }
}

const problemOf = ({ chat_id: chat, text: words }: Params): string | null => {
  if (typeof chat !== 'number') return 'chat not found'
  if (typeof words !== 'string' || words.trim() === '') return 'message text is empty'
  return words.length > 4096 ? 'message is too long' : null
}
