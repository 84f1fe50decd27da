import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { z } from 'zod'
import { ReinError } from '../contract/errors.ts'
import type { ChannelActor } from '../contract/identity.ts'
import type { Claim } from './actor.ts'

export type Env = {
  Bindings: HttpBindings & { overSocket: boolean }
  Variables: { claim: Claim | ChannelActor }
}
export type Ctx = Context<Env>

export const query = <T extends z.ZodType>(c: Ctx, schema: T): z.infer<T> => parse(schema, c.req.query())

export const body = async <T extends z.ZodType>(c: Ctx, schema: T): Promise<z.infer<T>> => {
  const text = await bodyText(c)
  try {
    return parse(schema, text === '' ? {} : JSON.parse(text))
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

const parse = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // `agents: at most 50 are possible`: the name of the value first, as a person gave it.
  const issues = result.error.issues.map((issue) => [...issue.path.map(String), issue.message].join(': '))
  throw new ReinError('usage', `Not understood: ${issues.join('; ')}.`)
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
