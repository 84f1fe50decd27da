/** A wire: the HTTP format in which a CLI speaks to its model. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Block } from '../blocks.ts'
import type { Received } from '../received.ts'

export interface WireRequest {
  path: string
  headers: IncomingHttpHeaders
  body: unknown
  /** Estimates the number of tokens of the body. */
  tokens: number
}

export interface ApiError {
  status: number
  message: string
  retryAfter?: number
  /** Not the server is busy: what the account may use is used up for so long. */
  isQuota?: boolean
}

/** One server-sent event; `data` is sent as JSON unless it is a string. */
export interface ServerEvent {
  event?: string
  data: unknown
}

/** How one reply is put into events, or into one JSON body. */
export interface Format {
  begin(): ServerEvent[]
  /** The events of a block; a SLOW step pauses after each of the middle ones. */
  block(block: Block, before: readonly Block[]): { first: ServerEvent[]; pieces: ServerEvent[]; last: ServerEvent[] }
  end(blocks: readonly Block[]): ServerEvent[]
  whole(blocks: readonly Block[]): unknown
  /** An error after the first event, when the status is already sent. */
  failed(error: ApiError): ServerEvent[]
}

export interface Wire {
  name: 'anthropic' | 'responses' | 'chat' | 'gemini'
  matches(method: string, path: string): boolean
  /** Throws a ZodError if it is not a request of this wire. */
  read(request: WireRequest): Received
  format(received: Received): Format
  errorBody(error: ApiError): unknown
  errorHeaders?(error: ApiError): Record<string, string>
}

/** In seconds since 1970, as the services say it. */
export const resetAfter = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
