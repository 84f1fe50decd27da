import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { type ReinPaths, reinPaths } from '../base/util/paths.ts'
import { version } from '../base/util/version.ts'
import { type Client, createClient } from './client.ts'
import type { Connection } from './connect.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

let home = ''
let paths: ReinPaths
let server: Server
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
let answers: Record<string, Answer> = {}
let daemonVersion = version

const json =
  (value: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'x-rein-version': daemonVersion }).end(JSON.stringify(value))
  }

const lines =
  (...texts: string[]): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'x-rein-version': daemonVersion })
    for (const text of texts) response.write(text)
    response.end()
  }

const client = (more: Partial<Connection> = {}): Client => createClient({ paths, env: {}, start: false, ...more })

const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const { method = '', url = '', headers } = request
  requests.push({ method, url, headers, body })
  const answer =
    answers[`${method} ${url.split('?')[0]}`] ?? json({ error: { code: 'not_found', message: 'no route' } }, 404)
  answer(request, response, body)
}

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rein-client-'))
  paths = reinPaths({ env: { REIN_HOME: home }, homedir: home, platform: process.platform, uid: 0 })
  mkdirSync(paths.runtime, { recursive: true })
  writeFileSync(paths.registration, JSON.stringify({ id: 'us', pid: process.pid, startTime: '1' }))
  requests = []
  daemonVersion = version
  answers = { 'GET /v1/hello': (...args) => json({ id: 'us', version: daemonVersion, pid: 7 })(...args) }
  server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(paths.socket, resolve))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true })
})

describe('a request', () => {
  test('puts the input of a GET into the query, and leaves out what is false', async () => {
    answers['GET /v1/agents'] = json([])
    await client().ps({ all: false })
    await client().ps({ all: true })
    expect(requests.map(({ url }) => url)).toEqual(['/v1/agents', '/v1/agents?all=true'])
  })

  test('asks who is there before it changes something', async () => {
    answers['POST /v1/directives/dir_%2F1/ack'] = json({ id: 'dir_/1' })
    await expect(client().ack({ id: 'dir_/1', note: 'ok' })).resolves.toEqual({ id: 'dir_/1' })
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/hello', ''],
      ['POST', '/v1/directives/dir_%2F1/ack', '{"note":"ok"}'],
    ])
  })

  test('takes parameters of the path and input in one object', async () => {
    answers['GET /v1/directives/dir_1/follow'] = lines('{"id":"dir_1"}\n')
    for await (const receipt of client().follow({ id: 'dir_1', until: 'seen' })) expect(receipt.id).toBe('dir_1')
    answers['POST /v1/directives/dir_1/cancel'] = json({ id: 'dir_1' })
    await client().cancel({ id: 'dir_1' })
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/directives/dir_1/follow?until=seen', ''],
      ['/v1/hello', ''],
      ['/v1/directives/dir_1/cancel', '{}'],
    ])
  })

  test('that does not fit its card is an error of types', () => {
    type Given<Name extends keyof Client> = Client[Name] extends (input: infer Input) => unknown ? Input : never
    expectTypeOf<{ id: string }>().toExtend<Given<'ack'>>()
    expectTypeOf<{ note: string }>().not.toExtend<Given<'ack'>>()
    expectTypeOf<{ id: number }>().not.toExtend<Given<'ack'>>()
    expectTypeOf<{ cwd: string; glob: string; mode: 'all' }>().not.toExtend<Given<'takeLease'>>()
    expect(client()).not.toHaveProperty('turns')
    expect(client()).not.toHaveProperty('hook')
  })

  test('carries our version, and the token of the agent that we run under', async () => {
    answers['GET /v1/agents'] = json([])
    await client().ps({})
    await client({ env: { REIN_TOKEN: 'secret' } }).ps({})
    expect(requests.map(({ headers }) => [headers['x-rein-version'], headers['x-rein-agent-token']])).toEqual([
      [version, undefined],
      [version, 'secret'],
    ])
  })

  test('the error of the daemon arrives as it is', async () => {
    answers['GET /v1/directives/dir_1'] = json(
      { error: { code: 'unknown_directive', message: 'no such', hint: 'look' } },
      404,
    )
    await expect(client().receipt({ id: 'dir_1' })).rejects.toMatchObject({
      code: 'unknown_directive',
      message: 'no such',
      hint: 'look',
      exitCode: 3,
    })
  })

  test('an error of a later version is a failure', async () => {
    answers['GET /v1/agents'] = json({ error: { code: 'brand_new', message: 'later' } }, 418)
    await expect(client().ps({})).rejects.toMatchObject({ code: 'failed', message: 'later' })
  })

  test.each<[string, Answer]>([
    ['no JSON', (_request, response) => void response.writeHead(200, { 'x-rein-version': version }).end('<html>')],
    [
      'an error without a body',
      (_request, response) => void response.writeHead(500, { 'x-rein-version': version }).end(),
    ],
    ['an error of another shape', json({ error: 'bad' }, 500)],
    [
      'half an answer',
      (_request, response) => {
        response.writeHead(200, { 'x-rein-version': version, 'content-length': '100' })
        response.write('{', () => response.destroy())
      },
    ],
    ['no answer', (request) => void request.socket.destroy()],
    ['no HTTP', (request) => void request.socket.end('hello\r\n\r\n')],
  ])('%s makes the daemon unavailable', async (_what, answer) => {
    answers['GET /v1/agents'] = answer
    await expect(client().ps({})).rejects.toMatchObject({ code: 'unavailable', exitCode: 6 })
  })

  test.each<[string, Answer]>([
    ['took the connection', (request) => void request.socket.destroy()],
    [
      'had begun to answer',
      (_request, response) => {
        response.writeHead(200, { 'x-rein-version': version, 'content-length': '100' })
        response.write('{', () => response.destroy())
      },
    ],
  ])('what only reads is asked of the next daemon when one %s and was gone', async (_what, dying) => {
    answers['GET /v1/agents'] = (...args) => {
      answers['GET /v1/agents'] = json([])
      dying(...args)
    }
    await expect(client().ps({})).resolves.toEqual([])
    expect(requests.map(({ url }) => url)).toEqual(['/v1/agents', '/v1/hello', '/v1/agents'])
  })

  test('a daemon that does not answer is given up', async () => {
    answers['GET /v1/agents'] = () => {}
    await expect(client({ timeoutMs: 50 }).ps({})).rejects.toMatchObject({
      code: 'not_in_time',
      exitCode: 4,
      hint: expect.stringContaining('rein daemon logs'),
    })
  })
})

describe('who answers', () => {
  test('a server with another id than the registered one is not ours', async () => {
    answers['GET /v1/hello'] = json({ id: 'somebody', version, pid: 7 })
    await expect(client().cancel({ id: 'dir_1' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is not the daemon'),
    })
    expect(requests).toHaveLength(1)
  })

  test('one that does not even say its version is asked who it is', async () => {
    answers['GET /v1/agents'] = (_request, response) => void response.end('[]')
    await expect(client().ps({})).resolves.toEqual([])
    expect(requests.map(({ url }) => url)).toEqual(['/v1/agents', '/v1/hello', '/v1/agents'])
  })

  test.each([
    ['newer', '99.0.0', {}],
    ['older, but starting one is not wanted', '0.0.1', { start: false }],
    ['older, but we are an agent', '0.0.1', { start: true, env: { REIN_TOKEN: 'secret' } }],
    ['older, but we are an agent without its token', '0.0.1', { start: true, env: { REIN_AGENT: 'agt_1' } }],
  ])('a daemon is used as it is: %s', async (_why, theirs, more) => {
    daemonVersion = theirs
    answers['GET /v1/agents'] = json([])
    await expect(client(more).ps({})).resolves.toEqual([])
    expect(requests).toHaveLength(1)
  })

  test('nobody: not running', async () => {
    await new Promise((resolve) => server.close(resolve))
    await expect(client().ps({})).rejects.toMatchObject({ code: 'unavailable', message: 'The daemon is not running.' })
    await expect(client().stop()).resolves.toEqual({ stopped: false, pid: null, killed: false })
  })

  test.each([{ REIN_TOKEN: 'secret' }, { REIN_AGENT: 'agt_1' }])('nobody: an agent starts none (%j)', async (env) => {
    await new Promise((resolve) => server.close(resolve))
    const asking = client({ start: true, env, script: '/nowhere' }).ps({})
    await expect(asking).rejects.toMatchObject({
      message: 'The daemon is not running.',
      hint: 'A person can start it: rein daemon start.',
    })
  })

  test('a silent one: an agent without its token is not advised to end it', async () => {
    answers['GET /v1/agents'] = () => undefined
    const asking = client({ env: { REIN_AGENT: 'agt_1' }, timeoutMs: 50 }).ps({})
    await expect(asking).rejects.toMatchObject({ hint: expect.stringContaining('A person can start it afresh') })
  })
})

describe('a stream', () => {
  const collect = async (stream: AsyncIterable<unknown>): Promise<unknown[]> => {
    const all: unknown[] = []
    for await (const each of stream) all.push(each)
    return all
  }

  test('is cut into lines wherever the chunks end', async () => {
    answers['GET /v1/directives/dir_1/follow'] = lines('{"state":"qu', 'eued"}\n\n{"state":"seen"}\n')
    await expect(collect(client().follow({ id: 'dir_1', until: 'seen' }))).resolves.toEqual([
      { state: 'queued' },
      { state: 'seen' },
    ])
    expect(requests.at(-1)?.url).toBe('/v1/directives/dir_1/follow?until=seen')
  })

  test('an error may come instead of it, or in it', async () => {
    answers['GET /v1/topics/turns'] = json({ error: { code: 'cursor_expired', message: 'gone' } }, 409)
    await expect(collect(client().tail({ topic: 'turns', after: 3 }))).rejects.toMatchObject({ code: 'cursor_expired' })
    answers['GET /v1/topics/turns'] = lines('{"seq":1}\n', '{"error":{"code":"failed","message":"broken"}}\n')
    await expect(collect(client().tail({ topic: 'turns', after: 0 }))).rejects.toMatchObject({ message: 'broken' })
  })

  test('garbage in it is an error', async () => {
    answers['GET /v1/topics/turns'] = lines('{"seq":1}\nhello\n')
    await expect(collect(client().tail({ topic: 'turns', after: 0 }))).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a daemon that goes away in the middle is an error', async () => {
    answers['GET /v1/topics/turns'] = (_request, response) => {
      response.writeHead(200, { 'x-rein-version': version })
      response.write('{"seq":1}\n', () => response.destroy())
    }
    await expect(collect(client().tail({ topic: 'turns', after: 0 }))).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('that broke off before its first line brings no daemon back', async () => {
    answers['GET /v1/topics/turns'] = (request) => void request.socket.destroy()
    await expect(collect(client().tail({ topic: 'turns', after: 0 }))).rejects.toMatchObject({ code: 'unavailable' })
    expect(requests.map(({ url }) => url)).toEqual(['/v1/topics/turns?after=0'])
  })

  test('ends silently when we have had enough', async () => {
    answers['GET /v1/topics/turns'] = (_request, response) => {
      response.writeHead(200, { 'x-rein-version': version })
      response.write('{"seq":1}\n')
    }
    const enough = new AbortController()
    const seen: unknown[] = []
    for await (const record of client().tail({ topic: 'turns', after: 0, follow: true }, enough.signal)) {
      seen.push(record)
      enough.abort()
    }
    expect(seen).toEqual([{ seq: 1 }])
  })
})

test('the input of a method may be left out where nothing of it is needed', () => {
  expectTypeOf<[]>().toExtend<Parameters<Client['collectSessions']>>()
  expectTypeOf<[]>().toExtend<Parameters<Client['ps']>>()
  expectTypeOf<[]>().not.toExtend<Parameters<Client['rewind']>>()
  expectTypeOf<[]>().not.toExtend<Parameters<Client['cancel']>>()
  expect(client()).toHaveProperty('collectSessions')
})
