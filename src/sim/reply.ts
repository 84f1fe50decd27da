/** Sending a reply: as server-sent events while it is made, or as one JSON body. */
import type { ServerResponse } from 'node:http'
import { type Block, saying } from './blocks.ts'
import { newId } from './ids.ts'
import type { Received } from './received.ts'
import type { ApiError, Format, ServerEvent, Wire } from './wires/wire.ts'

type ErrorForm = Pick<Wire, 'errorBody' | 'errorHeaders'>

type Pause = (pieces: number) => Promise<void>

/** One message on its way to the client. */
export interface Reply {
  /** Adds a block, in so many pieces, with a pause after each. */
  add(block: Block, pause?: Pause): Promise<void>
  finish(): void
  fail(error: ApiError): void
  /** Breaks the connection in the middle of the message. */
  drop(): void
}

export const startReply = (response: ServerResponse, wire: Wire, received: Received): Reply => {
  const Kind = received.stream ? StreamedReply : WholeReply
  return new Kind(response, wire.format(received), (error) => sendError(response, wire, error))
}

export const sendError = (response: ServerResponse, wire: ErrorForm, error: ApiError): void => {
  const retryAfter = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }
  sendJson(response, error.status, wire.errorBody(error), { ...retryAfter, ...wire.errorHeaders?.(error) })
}

export const sendJson = (response: ServerResponse, status: number, value: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req'), ...headers })
  response.end(JSON.stringify(value))
}

type SendError = (error: ApiError) => void

class WholeReply implements Reply {
  readonly #blocks: Block[] = []
  readonly #response: ServerResponse
  readonly #format: Format
  readonly fail: SendError

  constructor(response: ServerResponse, format: Format, fail: SendError) {
    this.#response = response
    this.#format = format
    this.fail = fail
  }

  async add(block: Block, pause?: Pause): Promise<void> {
    this.#blocks.push(block)
    await pause?.(1)
  }

  finish(): void {
    sendJson(this.#response, 200, this.#format.whole(this.#blocks))
  }

  drop(): void {
    this.#response.destroy()
  }
}

class StreamedReply implements Reply {
  readonly #blocks: Block[] = []
  readonly #response: ServerResponse
  readonly #format: Format
  readonly #failAtOnce: SendError

  constructor(response: ServerResponse, format: Format, failAtOnce: SendError) {
    this.#response = response
    this.#format = format
    this.#failAtOnce = failAtOnce
  }

  async add(block: Block, pause?: Pause): Promise<void> {
    this.#begin()
    const { first, pieces, last } = this.#format.block(block, this.#blocks)
    this.#blocks.push(block)
    this.#send(first)
    for (const piece of pieces) {
      this.#send([piece])
      await pause?.(pieces.length)
    }
    this.#send(last)
  }

  finish(): void {
    this.#send(this.#format.end(this.#blocks))
    this.#response.end()
  }

  fail(error: ApiError): void {
    if (!this.#response.headersSent) return this.#failAtOnce(error)
    this.#send(this.#format.failed(error))
    this.#response.end()
  }

  drop(): void {
    this.#begin()
    this.#send(this.#format.block(saying(''), this.#blocks).first)
    // Only once the events have left is the break in the middle of the message.
    this.#response.write(': dropped\n\n', () => this.#response.destroy())
  }

  #begin(): void {
    if (this.#response.headersSent) return
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': newId('req'),
    })
    this.#send(this.#format.begin())
  }

  #send(events: readonly ServerEvent[]): void {
    for (const { event, data } of events) {
      const json = typeof data === 'string' ? data : JSON.stringify(data)
      this.#response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${json}\n\n`)
    }
  }
}
