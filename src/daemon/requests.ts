import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ReinError } from '../contract/errors.ts'
import type { ChannelActor } from '../contract/identity.ts'
import type { Claim } from './actor.ts'

export type Env = {
  Bindings: HttpBindings & { overSocket: boolean }
  Variables: { claim: Claim | ChannelActor }
}
export type Ctx = Context<Env>

/** The body of a request, which is JSON; without one an empty object. */
export const bodyJson = async (c: Ctx, maxBytes = maxBodyBytes): Promise<unknown> => {
  const text = await bodyText(c, maxBytes)
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new ReinError('usage', `The request is no JSON: ${cause.message}`)
    throw cause
  }
}

/** More than any text that is taken, escaped in JSON. */
const maxBodyBytes = 64 * 1024 * 1024

/** So much more is read and dropped: most senders look for an answer only when they have said all. */
const maxDropped = 512 * 1024 * 1024

const texts = new WeakMap<IncomingMessage, Promise<string>>()

/** The whole body of a request, cached. All readers use this, because it counts the bytes. */
export const bodyText = (c: Ctx, maxBytes = maxBodyBytes): Promise<string> => {
  const { incoming } = c.env
  const text = texts.get(incoming) ?? readText(incoming, maxBytes)
  texts.set(incoming, text)
  return text
}

/** Counts bytes as they arrive: a declared length can refuse early, an undeclared one is still limited. */
const readText = async (incoming: IncomingMessage, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  refuseLarge(Number(incoming.headers['content-length'] ?? 0), maxBytes)
  // The answer needs the connection, which else would end with the reading.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
    if (bytes > maxBytes + maxDropped) break
  }
  refuseLarge(bytes, maxBytes)
  return Buffer.concat(chunks).toString()
}

const refuseLarge = (bytes: number, maxBytes: number): void => {
  if (bytes > maxBytes) throw new ReinError('text_too_large', `A request has at most ${maxBytes} bytes here.`)
}

/** Calls back if the caller has left before it could be answered, as far as the system tells. */
export const whenLost = ({ env: { outgoing } }: Ctx, lost: () => void): void => {
  // A response lets go of its connection when it is finished.
  const { socket } = outgoing
  if (outgoing.destroyed) return lost()
  outgoing.once('close', () => {
    // What was handed over to a connection whose other end is closed counts as finished, too.
    if (!outgoing.writableFinished || socket?.errored != null) lost()
  })
}

/**
 * Aborted when the caller leaves, or the daemon begins to end.
 * The response tells when a caller leaves: a request closes as soon as its body was read.
 * The listener on `ending` goes with the request, which AbortSignal.any would not let it.
 */
export const whileAsked = ({ env: { outgoing } }: Ctx, ending: AbortSignal): AbortSignal => {
  const abort = new AbortController()
  const leave = (): void => abort.abort()
  if (outgoing.destroyed || ending.aborted) {
    leave()
    return abort.signal
  }
  ending.addEventListener('abort', leave, { once: true })
  outgoing.once('close', () => {
    ending.removeEventListener('abort', leave)
    leave()
  })
  return abort.signal
}
