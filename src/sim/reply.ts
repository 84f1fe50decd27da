/** Writing a reply in the Messages format: as server-sent events while it is made, or as one JSON message. */
import type { ServerResponse } from 'node:http'
import { emptied, piecesOf, stopReason } from './blocks.ts'
import type { Block } from './blocks.ts'
import { newId } from './ids.ts'
import type { MessagesBody } from './request.ts'

export interface ApiError {
  status: number
  message: string
  retryAfter?: number
}

export type Pause = (pieces: number) => Promise<void>

/** One message on its way to the client. */
export interface Reply {
  /** Adds a content block, in so many pieces, with a pause after each. */
  add(block: Block, pause?: Pause): Promise<void>
  finish(): void
  fail(error: ApiError): void
  /** Breaks the connection in the middle of the message. */
  drop(): void
}

export function startReply(response: ServerResponse, body: MessagesBody): Reply {
  return body.stream === true ? new StreamedReply(response, body) : new WholeReply(response, body)
}

export function sendError(response: ServerResponse, error: ApiError): void {
  const retryAfter = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }
  sendJson(response, error.status, errorBody(error), retryAfter)
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req'), ...headers })
  response.end(JSON.stringify(value))
}

/** About four characters a token, as good as any for a model that does not exist. */
export function tokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

class WholeReply implements Reply {
  readonly #blocks: Block[] = []
  readonly #response: ServerResponse
  readonly #body: MessagesBody

  constructor(response: ServerResponse, body: MessagesBody) {
    this.#response = response
    this.#body = body
  }

  async add(block: Block, pause?: Pause): Promise<void> {
    this.#blocks.push(block)
    await pause?.(1)
  }

  finish(): void {
    sendJson(this.#response, 200, {
      ...envelope(this.#body),
      content: this.#blocks,
      stop_reason: stopReason(this.#blocks),
      usage: usage(this.#body, tokens(this.#blocks)),
    })
  }

  fail(error: ApiError): void {
    sendError(this.#response, error)
  }

  drop(): void {
    this.#response.destroy()
  }
}

class StreamedReply implements Reply {
  readonly #blocks: Block[] = []
  readonly #response: ServerResponse
  readonly #body: MessagesBody

  constructor(response: ServerResponse, body: MessagesBody) {
    this.#response = response
    this.#body = body
  }

  async add(block: Block, pause?: Pause): Promise<void> {
    this.#begin()
    const index = this.#blocks.push(block) - 1
    this.#send('content_block_start', { index, content_block: emptied(block) })
    const pieces = piecesOf(block)
    for (const delta of pieces) {
      this.#send('content_block_delta', { index, delta })
      await pause?.(pieces.length)
    }
    this.#send('content_block_stop', { index })
  }

  finish(): void {
    const delta = { stop_reason: stopReason(this.#blocks), stop_sequence: null }
    this.#send('message_delta', { delta, usage: { output_tokens: tokens(this.#blocks) } })
    this.#send('message_stop', {})
    this.#response.end()
  }

  /** After the first event the status is sent, so the error becomes an event, as the API does it. */
  fail(error: ApiError): void {
    if (!this.#response.headersSent) return sendError(this.#response, error)
    this.#send('error', errorBody(error))
    this.#response.end()
  }

  drop(): void {
    this.#begin()
    this.#send('content_block_start', { index: this.#blocks.length, content_block: { type: 'text', text: '' } })
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
    this.#send('message_start', { message: { ...envelope(this.#body), content: [], stop_reason: null } })
    this.#send('ping', {})
  }

  #send(event: string, data: Record<string, unknown>): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`)
  }
}

function envelope(body: MessagesBody) {
  const base = { id: newId('msg'), type: 'message', role: 'assistant', model: body.model }
  return { ...base, stop_sequence: null, usage: usage(body, 1) }
}

function usage(body: MessagesBody, outputTokens: number) {
  return {
    input_tokens: tokens(body),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: 'standard',
  }
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function errorBody({ status, message }: ApiError) {
  return { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message }, request_id: newId('req') }
}
