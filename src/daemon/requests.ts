import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { z } from 'zod'
import { ReinError } from '../contract/errors.ts'
import type { Actor, ChannelActor } from '../contract/identity.ts'
import type { RouteName } from '../contract/routes.ts'
import type { Claim } from './actor.ts'

export type Env = {
  Bindings: HttpBindings & { overSocket: boolean }
  Variables: { claim: Claim | ChannelActor }
}
export type Ctx = Context<Env>

/** Answers a route by its name, for whoever may ask. */
export type On = (name: RouteName, handle: (c: Ctx, actor: Actor) => Response | Promise<Response>) => void
/** Answers with one JSON object a line, for as long as somebody listens. */
export type Lines = (c: Ctx, source: (signal: AbortSignal) => AsyncGenerator) => Promise<Response>

export const param = (c: Ctx, name: string): string => c.req.param(name) ?? ''

export const query = <T extends z.ZodType>(c: Ctx, schema: T): z.infer<T> => parse(schema, c.req.query())

export const body = async <T extends z.ZodType>(c: Ctx, schema: T): Promise<z.infer<T>> => {
  const text = await c.req.text()
  try {
    return parse(schema, text === '' ? {} : JSON.parse(text))
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new ReinError('usage', `The request is no JSON: ${cause.message}`)
    throw cause
  }
}

const parse = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ReinError('usage', `Not understood: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`)
}

/** Aborted when the caller leaves, or the daemon begins to end. */
export const whileAsked = (c: Ctx, ending: AbortSignal): AbortSignal => {
  const abort = new AbortController()
  c.env.incoming.once('close', () => abort.abort())
  return AbortSignal.any([abort.signal, ending])
}
