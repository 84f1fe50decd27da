import { EventEmitter, once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { person } from '../../test/support/builders.ts'
import { asReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import { route, type Asked, type Card, type Routes, type Handlers } from '../contract/routes/route.ts'
import type { Env } from './requests.ts'
import { answerBy } from './app.ts'

const output = z.object({ id: z.string(), size: z.number() })
const cards = {
  look: route({
    method: 'GET',
    path: '/things/:id',
    input: z.object({ size: z.coerce.number<number>().min(1) }),
    output,
    scope: 'read',
    help: 'Looks at a thing.',
  }),
  change: route({
    method: 'POST',
    path: '/things/:id',
    input: z.object({ size: z.number().default(7) }),
    output,
    scope: 'tell',
    help: 'Changes a thing.',
  }),
  follow: route({ method: 'GET', path: '/follow', output, stream: true, scope: 'read', help: 'Follows a thing.' }),
  move: route({ method: 'POST', path: '/move', output, progress: true, scope: 'files', help: 'Moves a thing.' }),
  raw: route({ method: 'POST', path: '/raw', output, media: 'text/plain', scope: 'tell', help: 'Bound by hand.' }),
} satisfies Routes

const moving = { what: 'moving', done: 1, total: 2 }
const handlers: Handlers<typeof cards> = {
  look: ({ params, input }) => ({ id: params.id, size: input.size }),
  change: async ({ params, input, actor }) => ({ id: `${params.id} by ${actor.kind}`, size: input.size }),
  follow: async function* () {
    yield { id: 'a', size: 1 }
    yield { id: 'b', size: 2 }
  },
  move: async function* () {
    yield { progress: moving }
    yield { result: { id: 'a', size: 3 } }
  },
}

const never = new AbortController().signal

const appOf = (given: object, checksAnswers = false, ending = never): Hono<Env> => {
  const app = new Hono<Env>()
  const actor: Actor = person
  const table: Record<string, Card> = cards
  for (const [name, handler] of Object.entries(given)) {
    const card = table[name] ?? cards.look
    const answer = answerBy(card, handler, { ending, checksAnswers })
    app.on(card.method, card.path, (c) => answer(c, actor))
  }
  return app.onError((cause, c) => c.json(asReinError(cause).toBody(), 400))
}

const there = (): EventEmitter => Object.assign(new EventEmitter(), { destroyed: false })

const ask = async (app: Hono<Env>, method: string, path: string, body = '', outgoing = there()): Promise<string> => {
  const incoming = Object.assign(Readable.from([Buffer.from(body)]), { headers: {} })
  const response = await app.request(path, { method }, { incoming, outgoing })
  return response.text()
}

describe('a request', () => {
  test('is read as its card says: parameters, query, body', async () => {
    const app = appOf(handlers)
    expect(await ask(app, 'GET', '/things/a%2Fb?size=3')).toBe('{"id":"a/b","size":3}')
    expect(await ask(app, 'POST', '/things/x', '{"size":4}')).toBe('{"id":"x by user","size":4}')
    expect(await ask(app, 'POST', '/things/x')).toBe('{"id":"x by user","size":7}')
  })

  test('that does not fit its card is refused', async () => {
    const app = appOf(handlers)
    expect(await ask(app, 'GET', '/things/a?size=0')).toContain('Not understood: ')
    expect(await ask(app, 'POST', '/things/a', '{"size":"4"}')).toContain('"code":"usage"')
    expect(await ask(app, 'POST', '/things/a', '{')).toContain('The request is no JSON')
  })

  test('is answered by lines where its card says so', async () => {
    const app = appOf(handlers, true)
    expect(await ask(app, 'GET', '/follow')).toBe('{"id":"a","size":1}\n{"id":"b","size":2}\n')
    const [first, last] = (await ask(app, 'POST', '/move')).split('\n')
    expect([JSON.parse(first ?? ''), JSON.parse(last ?? '')]).toEqual([
      { progress: moving },
      { result: { id: 'a', size: 3 } },
    ])
  })
})

describe('an answer that its card does not describe', () => {
  const wrong = { look: () => ({ id: 'a', size: 'big' }), change: () => ({ id: 'a', size: 1, inner: true }) }

  test('is sent in production, where nobody looks', async () => {
    expect(await ask(appOf(wrong), 'GET', '/things/a?size=1')).toBe('{"id":"a","size":"big"}')
  })

  test('is an error in tests', async () => {
    const app = appOf(wrong, true)
    expect(await ask(app, 'GET', '/things/a?size=1')).toContain(
      'The answer to GET /things/:id is not what its card says',
    )
    expect(await ask(app, 'POST', '/things/a')).toContain('.inner is not described')
  })

  test('ends the lines of a stream', async () => {
    const follow = async function* () {
      yield { id: 'a', size: 1 }
      yield { id: 'b' }
    }
    const [, last] = (await ask(appOf({ follow }, true), 'GET', '/follow')).split('\n')
    expect(JSON.parse(last ?? '')).toMatchObject({ error: { code: 'failed' } })
  })
})

describe('the signal of a request', () => {
  /** A handler that keeps what it was asked with, and waits. */
  const waiting = () => {
    const asked: Asked<typeof cards.change>[] = []
    const events = new EventEmitter()
    const change = async (given: Asked<typeof cards.change>) => {
      asked.push(given)
      events.emit('called')
      if (!given.signal.aborted) await once(given.signal, 'abort')
      return { id: 'a', size: 1 }
    }
    return { asked, events, change }
  }

  test('is aborted when the caller leaves, also one whose body was read', async () => {
    const { asked, events, change } = waiting()
    const app = appOf({ change })
    const responses: ServerResponse[] = []
    const handle = getRequestListener((given, env) => app.fetch(given, env), { overrideGlobalObjects: false })
    const server = createServer((incoming, outgoing) => {
      responses.push(outgoing)
      void handle(incoming, outgoing)
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const called = once(events, 'called')
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/things/a' }).on('error', () => undefined)
    sent.end('{"size":4}')
    await called
    const [response] = responses
    if (response === undefined) throw new Error('Nobody has asked.')
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false])
    const closed = once(response, 'close')
    sent.destroy()
    await closed
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('is aborted from the start where the caller has already gone', async () => {
    const { asked, change } = waiting()
    const gone = Object.assign(there(), { destroyed: true })
    await ask(appOf({ change }), 'POST', '/things/a', '', gone)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('is aborted when the daemon begins to end, and is the same however often it is read', async () => {
    const { asked, events, change } = waiting()
    const ending = new AbortController()
    const called = once(events, 'called')
    const answered = ask(appOf({ change }, false, ending.signal), 'POST', '/things/a')
    await called
    const [given] = asked
    expect(given?.signal).toBe(given?.signal)
    expect(given?.signal.aborted).toBe(false)
    ending.abort()
    expect(given?.signal.aborted).toBe(true)
    await answered
  })
})

test('a handler that is missing or does not fit its card is an error of types', () => {
  type Table = Handlers<typeof cards>
  type Look = typeof cards.look
  expectTypeOf(handlers).toExtend<Table>()
  expectTypeOf<Omit<Table, 'look'>>().not.toExtend<Table>()
  expectTypeOf<() => { id: string }>().not.toExtend<Table['look']>()
  expectTypeOf<(asked: Asked<Look>) => { id: string; size: number }>().toExtend<Table['look']>()
  expectTypeOf<(asked: { input: { size: string } }) => { id: string; size: number }>().not.toExtend<Table['look']>()
  expectTypeOf<(asked: { params: { name: string } }) => { id: string; size: number }>().not.toExtend<Table['look']>()
  expect(Object.keys(handlers)).not.toContain('raw')
})
