import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { agentTokenOf, type Box, createBox } from './harness.ts'

/** Sends bytes as they are and returns the status; 0 if the connection was closed without one. */
const statusOf = async (on: NetConnectOpts, request: string): Promise<number> => {
  const socket = connect(on)
  socket.on('error', () => undefined)
  socket.write(request, 'latin1')
  const answer = await text(socket).catch(() => '')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
}

interface Gate {
  port: number
  token: string
  agent: string
}

interface Request {
  target?: string
  method?: string
  /** Instead of one good Host. */
  host?: string[]
  /** Instead of the good token; null sends none. */
  auth?: string | null
  headers?: string[]
  body?: string
}

const write = ({ port, token }: Gate, given: Request): string => {
  const { method = 'GET', target = '/v1/daemon', host = [`127.0.0.1:${port}`], headers = [], body = '' } = given
  const { auth = `Bearer ${token}` } = given
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...host.map((one) => `Host: ${one}`),
    ...(auth === null ? [] : [`Authorization: ${auth}`]),
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

type Case = [status: number, name: string, request: (gate: Gate) => Request]

const json = 'Content-Type: application/json'
const tell = '{"target":"nobody","cwd":"/","text":"x","from":"me"}'
const post = { method: 'POST', target: '/v1/directives', body: tell }

const cases: Case[] = [
  [200, 'Host 127.0.0.1', () => ({})],
  [200, 'Host localhost', ({ port }) => ({ host: [`localhost:${port}`] })],
  [200, 'Host [::1]', ({ port }) => ({ host: [`[::1]:${port}`] })],
  [200, 'its own Origin', ({ port }) => ({ headers: [`Origin: http://127.0.0.1:${port}`] })],
  [403, 'its own Origin by name', ({ port }) => ({ headers: [`Origin: http://localhost:${port}`] })],
  [200, 'Sec-Fetch-Site same-origin', () => ({ headers: ['Sec-Fetch-Site: same-origin'] })],
  [200, 'Sec-Fetch-Site none', () => ({ headers: ['Sec-Fetch-Site: none'] })],
  [200, 'the token of an agent', ({ agent }) => ({ auth: `Bearer ${agent}`, target: '/v1/agents' })],
  [404, 'JSON to an agent that is not there', () => ({ ...post, headers: [json] })],
  [404, 'JSON with a charset', () => ({ ...post, headers: [`${json}; charset=utf-8`] })],
  [404, 'a path that is not there', () => ({ target: '/v1/nothing' })],

  [400, 'no Host', () => ({ host: [] })],
  [403, 'a foreign Host', () => ({ host: ['evil.example'] })],
  [403, 'a foreign Host with our port', ({ port }) => ({ host: [`evil.example:${port}`] })],
  [403, 'a Host that begins like ours', ({ port }) => ({ host: [`127.0.0.1.evil.example:${port}`] })],
  [403, 'a Host that ends like ours', ({ port }) => ({ host: [`evil.localhost:${port}`] })],
  [403, 'a Host with a user', ({ port }) => ({ host: [`evil@127.0.0.1:${port}`] })],
  [403, 'a Host without port', () => ({ host: ['127.0.0.1'] })],
  [403, 'a Host with another port', ({ port }) => ({ host: [`127.0.0.1:${port + 1}`] })],
  [403, 'Host 0.0.0.0', ({ port }) => ({ host: [`0.0.0.0:${port}`] })],
  [403, 'Host 127.1', ({ port }) => ({ host: [`127.1:${port}`] })],
  [403, 'an empty Host', () => ({ host: [''] })],
  [403, 'two Hosts, the good one first', ({ port }) => ({ host: [`127.0.0.1:${port}`, 'evil.example'] })],
  [403, 'two Hosts, the good one last', ({ port }) => ({ host: ['evil.example', `127.0.0.1:${port}`] })],
  [403, 'the same Host twice', ({ port }) => ({ host: [`127.0.0.1:${port}`, `127.0.0.1:${port}`] })],
  [403, 'a foreign Origin', () => ({ headers: ['Origin: http://evil.example'] })],
  [403, 'Origin null', () => ({ headers: ['Origin: null'] })],
  [403, 'an empty Origin', () => ({ headers: ['Origin: '] })],
  [403, 'our Origin with https', ({ port }) => ({ headers: [`Origin: https://127.0.0.1:${port}`] })],
  [403, 'our Origin with another port', () => ({ headers: ['Origin: http://127.0.0.1:80'] })],
  [403, 'Sec-Fetch-Site cross-site', () => ({ headers: ['Sec-Fetch-Site: cross-site'] })],
  [403, 'Sec-Fetch-Site same-site', () => ({ headers: ['Sec-Fetch-Site: same-site'] })],
  [403, 'no token', () => ({ auth: null })],
  [403, 'no token, for a path that is not there', () => ({ auth: null, target: '/v1/nothing' })],
  [403, 'a wrong token', ({ token }) => ({ auth: `Bearer ${token.slice(0, -1)}_` })],
  [403, 'half a token', ({ token }) => ({ auth: `Bearer ${token.slice(0, 10)}` })],
  [403, 'an empty token', () => ({ auth: 'Bearer ' })],
  [403, 'the token as a password', ({ token }) => ({ auth: `Basic ${btoa(`rein:${token}`)}` })],
  [403, 'the token in the address', ({ token }) => ({ auth: null, target: `/v1/daemon?token=${token}` })],
  [403, 'the token in a cookie', ({ token }) => ({ auth: null, headers: [`Cookie: token=${token}`] })],
  [403, 'a forged token of an agent', ({ agent }) => ({ auth: `Bearer ${agent.slice(0, -3)}AAA` })],
  [
    403,
    'an agent that would stop the daemon',
    ({ agent }) => ({ auth: `Bearer ${agent}`, method: 'POST', target: '/v1/daemon/stop', headers: [json] }),
  ],
  [403, 'an absolute target', ({ port }) => ({ target: `http://127.0.0.1:${port}/v1/daemon` })],
  [403, 'an absolute foreign target', () => ({ target: 'http://evil.example/v1/daemon' })],
  [403, 'POST without a type', () => post],
  [403, 'POST as text', () => ({ ...post, headers: ['Content-Type: text/plain'] })],
  [403, 'POST as a form', () => ({ ...post, headers: ['Content-Type: application/x-www-form-urlencoded'] })],
  [403, 'POST as something like JSON', () => ({ ...post, headers: ['Content-Type: application/json-patch'] })],
  [403, 'HEAD', () => ({ method: 'HEAD' })],
  [403, 'OPTIONS', () => ({ method: 'OPTIONS' })],
  [403, 'OPTIONS *', () => ({ method: 'OPTIONS', target: '*' })],
  [403, 'PUT', () => ({ method: 'PUT' })],
  [403, 'TRACE', () => ({ method: 'TRACE' })],
  [404, 'DELETE with JSON', () => ({ method: 'DELETE', headers: [json] })],
  [0, 'CONNECT', () => ({ method: 'CONNECT', target: 'evil.example:80' })],
]

describe('the loopback port', () => {
  let box: Box
  let gate: Gate
  beforeAll(async () => {
    let clean = (): void => undefined
    box = createBox({}, (end) => {
      clean = end
    })
    await box.runningAgent()
    const { port, token } = JSON.parse(readFileSync(box.paths.endpoint, 'utf8')) as Gate
    gate = { port, token, agent: agentTokenOf(box.paths) }
    return clean
  })

  test.each(cases)('answers %i to %s', async (status, _, request) => {
    expect(await statusOf({ host: '127.0.0.1', port: gate.port }, write(gate, request(gate)))).toBe(status)
  })

  test('is not open on another address of this machine', async () => {
    const socket = connect({ host: '127.0.0.2', port: gate.port })
    await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

/** In megabytes. */
const mostMemoryOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Sends megabytes in pieces until there is an answer; its status. */
const sendEndlessly = async (socketPath: string, path: string, megabytes: number): Promise<number> => {
  const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json', 'x-rein-hook': '1' }
  const request = send({ socketPath, path, method: 'POST', headers, agent: false }).on('error', () => undefined)
  const answer = { status: 0, isThere: false }
  const answered = new Promise<void>((resolve) => {
    request.once('response', ({ statusCode = 0 }: IncomingMessage) => {
      Object.assign(answer, { status: statusCode, isThere: true })
      resolve()
    })
    request.once('close', resolve)
  })
  const drained = (): Promise<void> => new Promise((resolve) => void request.once('drain', resolve))
  for (let sent = 0; sent < megabytes && !answer.isThere; sent += 1)
    if (!request.write(Buffer.alloc(1 << 20, ' '))) await Promise.race([drained(), answered])
  if (!answer.isThere) request.end()
  await answered
  request.destroy()
  return answer.status
}

describe('peers that do not behave', () => {
  const opened = async (on: NetConnectOpts, count: number): Promise<Socket[]> => {
    const sockets = [...Array(count).keys()].map(() => connect(on).on('error', () => undefined))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return sockets
  }

  test('do not end the daemon, and cost nothing when they have gone', async () => {
    const box = createBox()
    const { pid } = await box.daemon()
    const { port } = box.registered() ?? { port: 0 }
    const doors = [{ path: box.paths.socket }, { host: '127.0.0.1', port }]
    const files = () => readdirSync(`/proc/${pid}/fd`).length
    const before = files()
    for (const door of doors) {
      for (let times = 0; times < 400; times += 40) {
        const dropped = await opened(door, 40)
        for (const [index, socket] of dropped.entries()) {
          if (index % 2 === 0)
            socket.write('POST /v1/directives HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{"te')
          if (index % 3 === 0 && 'port' in door) socket.resetAndDestroy()
          else socket.destroy()
        }
      }
      const slow = await opened(door, 50)
      for (const [index, socket] of slow.entries()) socket.write('GET /v1/hello HTTP/1.1\r\nHost:'.slice(0, index))
      const halfOpen = await opened(door, 20)
      for (const socket of halfOpen) socket.end()
      const garbage = Buffer.alloc(2 * 1024 * 1024, 'ÿ\0GET \r\n')
      await statusOf(door, garbage.toString('latin1'))
      await expect(box.client({ start: false }).hello()).resolves.toMatchObject({ pid })
      for (const socket of [...slow, ...halfOpen]) socket.destroy()
    }
    while (files() > before + 2) await box.client({ start: false }).hello()
    expect(box.log().filter((entry) => entry['msg'] === 'trouble')).toEqual([])
  })

  test('are refused a request without end before it is read', async () => {
    const box = createBox()
    await box.client().hello()
    const head =
      'POST /v1/directives HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n'
    expect(await statusOf({ path: box.paths.socket }, head)).toBe(413)
  })

  test.each([
    '/v1/directives',
    '/v1/agents',
    '/v1/hooks/claude/Stop',
    '/v1/guard/claude/PreToolUse',
    '/v1/channels/nobody',
    '/mcp',
  ])('are refused one that does not say its length when it is too long, and cost no memory: %s', async (path) => {
    const box = createBox()
    const { pid } = await box.daemon()
    const before = mostMemoryOf(pid)
    expect(await sendEndlessly(box.paths.socket, path, 300)).toBe(413)
    expect(mostMemoryOf(pid) - before).toBeLessThan(260)
    await expect(box.client({ start: false }).hello()).resolves.toMatchObject({ pid })
  })
})
