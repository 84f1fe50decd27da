import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { away, createWorld, type TestWorld } from '../../test/support/adapter-world.ts'
import { now } from '../../test/support/builders.ts'
import type { Adapter } from './sdk/adapter.ts'
import { signGithub } from '../features/channels/webhooks/signature.ts'
import { ReinError } from '../contract/errors.ts'
import { webhook } from './webhook.ts'

let world: TestWorld
let adapter: Adapter | undefined
const clock = { now }

const start = async (config: object): Promise<void> => {
  adapter = await webhook.start(webhook.config.parse(config), world)
}

beforeEach(() => {
  clock.now = now
  world = createWorld({ env: { SECRET: 'hush-hush' }, now: () => clock.now })
})

afterEach(async () => {
  await adapter?.shutdown()
  adapter = undefined
})

describe('what comes in', () => {
  /** Where it listens. */
  const listen = async (proof: string, more: object = {}): Promise<string> => {
    await start({ in: { port: 0, path: '/hook', proof, secret: { env: 'SECRET' }, ...more } })
    return (await world.logged(/^Listening on /)).replace('Listening on ', '')
  }
  const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers })

  test('from GitHub is a message that its signature names', async () => {
    const url = await listen('github')
    const body = JSON.stringify({ action: 'opened', sender: { login: 'ada' }, issue: { title: 'It “crashes”' } })
    const headers = {
      'x-hub-signature-256': signGithub('hush-hush', body),
      'x-github-event': 'issues',
      'x-github-delivery': 'd-1',
    }
    const answers = [await post(url, body, headers), await post(url, body, headers)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await answers[1]?.json()).toEqual({ id: 'msg_1', state: 'routed', reason: null })
    expect(world.daemon.received).toEqual([
      {
        channel: 'webhook',
        text: `GitHub issue opened: ${body}`,
        sender: 'ada',
        key: signGithub('hush-hush', body),
        meta: expect.objectContaining({ event: 'issue', delivery: 'd-1' }),
      },
    ])
  })

  test('with a token is JSON or plain text', async () => {
    const url = await listen('bearer')
    const authorization = 'Bearer hush-hush'
    const message = { content: 'disk full', sender: 'monitor', ts: 5, meta: { host: 'a' }, key: 'k' }
    await post(url, JSON.stringify(message), { authorization })
    await post(url, '他说 "ok"', { authorization, 'idempotency-key': 'k2' })
    expect(world.daemon.received).toEqual([
      { channel: 'webhook', text: 'disk full', sender: 'monitor', claimedAt: 5, meta: { host: 'a' }, key: 'k' },
      { channel: 'webhook', text: '他说 "ok"', key: 'k2' },
    ])
  })

  test.each([
    ['github', { 'x-hub-signature-256': signGithub('other', '{}') }],
    ['github', {}],
    ['slack', { 'x-slack-signature': 'v0=00', 'x-slack-request-timestamp': String(now / 1000) }],
    ['bearer', { authorization: 'Bearer hush-hus' }],
    ['bearer', {}],
  ])('and does not prove that it is from %s is refused: %j', async (proof, headers: Record<string, string>) => {
    const { status } = await post(await listen(proof), '{}', headers)
    expect([status, world.daemon.received]).toEqual([403, []])
  })

  test('and has no token is refused before it is there', async () => {
    const asking = open(await listen('bearer'), { method: 'POST', headers: { 'content-length': '10' } })
    onTestFinished(() => void asking.destroy())
    asking.flushHeaders()
    const [{ statusCode }] = (await once(asking, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(403)
  })

  test('and is too much of one sender is refused until later, whatever it is called', async () => {
    const url = await listen('bearer', { ratePerMinute: 2 })
    const say = async (sender: string): Promise<[number, string | null]> => {
      const { status, headers } = await post(url, JSON.stringify({ content: 'x', sender }), {
        authorization: 'Bearer hush-hush',
      })
      return [status, headers.get('retry-after')]
    }
    expect([await say('ada'), await say('bob'), await say('eve')]).toEqual([
      [200, null],
      [200, null],
      [429, '30'],
    ])
    clock.now += 30_000
    expect([await say('ada'), world.daemon.received.length]).toEqual([[200, null], 3])
  })

  test('and is signed counts for its sender, and for everybody', async () => {
    const url = await listen('github', { ratePerMinute: 1 })
    const say = async (login: string): Promise<number> => {
      const body = JSON.stringify({ sender: { login } })
      return (await post(url, body, { 'x-hub-signature-256': signGithub('hush-hush', body) })).status
    }
    expect([await say('ada'), await say('ada')]).toEqual([200, 429])
    const others = Array.from({ length: 9 }, (_, index) => say(`other ${index}`))
    expect(new Set(await Promise.all(others))).toEqual(new Set([200]))
    expect([await say('eve'), world.daemon.received.length]).toEqual([429, 10])
  })

  test('and is too large, elsewhere, or no message is refused', async () => {
    const url = await listen('bearer', { maxBytes: 10 })
    const headers = { authorization: 'Bearer hush-hush' }
    const answers = [
      await post(url, 'x'.repeat(11), headers),
      await post(url.replace('/hook', '/'), 'x', headers),
      await fetch(url, { headers }),
      await post(url, '{}', headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([413, 404, 400, 400])
    expect(world.daemon.received).toEqual([])
  })

  test('is not confirmed before the daemon has it', async () => {
    const url = await listen('bearer')
    world.daemon.failures.receive.push(away())
    const answer = post(url, 'late', { authorization: 'Bearer hush-hush' })
    await world.logged(/not running/)
    expect(world.daemon.received).toEqual([])
    await adapter?.shutdown()
    const { status, headers } = await answer
    expect([status, headers.get('retry-after')]).toEqual([503, '10'])
  })

  test('and is refused by the daemon says why', async () => {
    const url = await listen('bearer')
    world.daemon.failures.receive.push(new ReinError('forbidden', 'ada may not write to webhook.'))
    const answer = await post(url, 'x', { authorization: 'Bearer hush-hush' })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: { code: 'forbidden', message: 'ada may not write to webhook.' } },
    ])
  })

  test('cannot come where another program listens', async () => {
    const port = Number(new URL(await listen('bearer')).port)
    const second = await webhook.start(
      webhook.config.parse({ in: { port, proof: 'bearer', secret: { env: 'SECRET' } } }),
      world,
    )
    await expect(second.closed).rejects.toThrow('EADDRINUSE')
  })
})

describe('what goes out', () => {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const answers: { status: number; headers?: Record<string, string> }[] = []

  /** A service that takes whatever is posted, and answers as told. */
  const listen = async (): Promise<string> => {
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      requests.push({ headers: request.headers, body: await text(request) })
      const { status, headers } = answers.shift() ?? { status: 200 }
      response.writeHead(status, headers).end('some text')
    }
    const server = createServer((request, response) => void take(request, response))
    onTestFinished(() => server.close().closeAllConnections())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
  }
  const settled = async (): Promise<unknown> => {
    await world.daemon.until(() => world.daemon.settled.length === 1)
    return world.daemon.settled[0]
  }

  beforeEach(() => {
    requests.length = 0
    answers.length = 0
  })

  test('is posted whole, and signed', async () => {
    await start({ out: { url: await listen(), secret: { env: 'SECRET' } } })
    const message = world.daemon.say('done', { replyTo: { id: 'msg_1', sender: 'ada', meta: { thread: 7 } } })
    expect(await settled()).toEqual({ id: message.id })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(message)
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': message.id,
      'x-hub-signature-256': signGithub('hush-hush', requests[0]?.body ?? ''),
    })
  })

  test('has the form that the service wants', async () => {
    await start({ out: { url: await listen(), body: { text: '{handle}: {text} {unknown}' } } })
    world.daemon.say('see {handle}')
    await settled()
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ text: 'worker: see {handle} {unknown}' })
    expect(requests[0]?.headers).not.toHaveProperty('x-hub-signature-256')
  })

  test.each([
    [{ status: 404 }, { retryInMs: null }],
    [{ status: 301, headers: { location: '/elsewhere' } }, { retryInMs: null }],
    [{ status: 500 }, {}],
    [{ status: 408 }, {}],
    [{ status: 429, headers: { 'retry-after': '7' } }, { retryInMs: 7000 }],
    [{ status: 503, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }, {}],
  ])('and is answered with %j', async (answer, more) => {
    answers.push(answer)
    const url = await listen()
    await start({ out: { url } })
    const { id } = world.daemon.say('done')
    const error = `${new URL(url).host} answers with status ${answer.status}.`
    expect(await settled()).toEqual({ id, error, ...more })
  })

  test('and finds nobody is tried again, without a word of the path', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    await start({ out: { url: `http://127.0.0.1:${port}/secret-path` } })
    const { id } = world.daemon.say('done')
    const error = `127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`
    expect(await settled()).toEqual({ id, error })
    expect(world.lines.join('\n')).not.toContain('secret-path')
  })

  test('and is not answered in time is tried again', async () => {
    const server = createServer(() => undefined)
    onTestFinished(() => server.close().closeAllConnections())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await start({ out: { url: `http://127.0.0.1:${port}/`, timeoutSeconds: 0.01 } })
    world.daemon.say('done')
    expect(await settled()).toMatchObject({ error: expect.stringContaining('due to timeout') })
  })
})

test('a config needs a way', () => {
  expect(webhook.config.safeParse({}).error?.issues.map(({ message }) => message)).toEqual([
    'needs [in], [out] or both',
  ])
})
