import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { socketPath } from '../../src/contract/socket-terms.ts'
import { type Box, createBox } from './harness.ts'
import { endpointOf } from './mcp-call.ts'

const tunnel = 'box.tail1234.ts.net'

let box: Box
let port = 0
let token = ''
beforeAll(async () => {
  let clean = (): void => undefined
  box = createBox({ REIN_WEB_HOSTS: `${tunnel} localhost:8080` }, (end) => {
    clean = end
  })
  await box.client().hello()
  ;({ port, token } = endpointOf(box))
  return clean
})

/** Sends a request as it is, and reads the head of the answer; an open WebSocket is cut off after it. */
const ask = async (lines: string[]): Promise<{ status: number; head: string }> => {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!lines.some((line) => line.startsWith('Sec-WebSocket-Key'))) {
    const head = await text(socket)
    return { status: statusOf(head), head }
  }
  const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [Buffer]
  socket.destroy()
  return { status: statusOf(String(first)), head: String(first) }
}

const statusOf = (head: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)

const upgrade = (headers: string[], path = socketPath): string[] => [
  `GET ${path} HTTP/1.1`,
  ...headers,
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const request = (headers: string[], path = '/v1/agents'): string[] => [
  `GET ${path} HTTP/1.1`,
  ...headers,
  `Authorization: Bearer ${token}`,
  'Connection: close',
]

type Headers = (own: string) => string[]

/** Where a page or a name that is not ours asks from. */
const foreign: [name: string, headers: Headers][] = [
  ['a foreign origin', (own) => [`Host: ${own}`, 'Origin: http://evil.example']],
  ['a foreign origin with TLS', (own) => [`Host: ${own}`, 'Origin: https://evil.example']],
  ['our origin with TLS', (own) => [`Host: ${own}`, `Origin: https://${own}`]],
  ['a page at localhost', () => [`Host: localhost:${port}`, `Origin: http://localhost:${port}`]],
  ['a page at [::1]', () => [`Host: [::1]:${port}`, `Origin: http://[::1]:${port}`]],
  ['our origin on another port', (own) => [`Host: ${own}`, 'Origin: http://127.0.0.1:3000']],
  ['our origin without a port', (own) => [`Host: ${own}`, 'Origin: http://127.0.0.1']],
  ['an origin that begins like ours', (own) => [`Host: ${own}`, `Origin: http://${own}.evil.example`]],
  ['an origin that ends like ours', (own) => [`Host: ${own}`, `Origin: http://evil.${own}`]],
  ['an origin with a path', (own) => [`Host: ${own}`, `Origin: http://${own}/`]],
  ['the origin null', (own) => [`Host: ${own}`, 'Origin: null']],
  ['an empty origin', (own) => [`Host: ${own}`, 'Origin: ']],
  ['a file', (own) => [`Host: ${own}`, 'Origin: file://']],
  ['an extension', (own) => [`Host: ${own}`, 'Origin: chrome-extension://abcdefghijklmnop']],
  ['a name of web.hosts with another port', (own) => [`Host: ${own}`, `Origin: https://${tunnel}:8443`]],
  ['a name below one of web.hosts', (own) => [`Host: ${own}`, `Origin: https://evil.${tunnel}`]],
  ['a rebinding name', () => [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`]],
  ['a rebinding name with our origin', (own) => [`Host: evil.example:${port}`, `Origin: http://${own}`]],
  ['another port as Host', (own) => [`Host: 127.0.0.1:${port + 1}`, `Origin: http://${own}`]],
  ['another address as Host', (own) => [`Host: 127.0.0.2:${port}`, `Origin: http://${own}`]],
  ['0.0.0.0 as Host', (own) => [`Host: 0.0.0.0:${port}`, `Origin: http://${own}`]],
  ['a Host below one of web.hosts', () => [`Host: evil.${tunnel}`, `Origin: https://${tunnel}`]],
  ['two Hosts', (own) => [`Host: ${own}`, 'Host: evil.example', `Origin: http://${own}`]],
  ['a cross-site fetch', (own) => [`Host: ${own}`, `Origin: http://${own}`, 'Sec-Fetch-Site: cross-site']],
  ['a same-site fetch', (own) => [`Host: ${own}`, `Origin: http://${own}`, 'Sec-Fetch-Site: same-site']],
]

const own: [name: string, headers: Headers][] = [
  ['127.0.0.1', (name) => [`Host: ${name}`, `Origin: http://${name}`, 'Sec-Fetch-Site: same-origin']],
  ['a TLS proxy', () => [`Host: ${tunnel}`, `Origin: https://${tunnel}`, 'Sec-Fetch-Site: same-origin']],
  ['a TLS proxy that puts in our name', (name) => [`Host: ${name}`, `Origin: https://${tunnel}`]],
  ['a tunnel', () => ['Host: localhost:8080', 'Origin: http://localhost:8080']],
]

describe('from elsewhere nothing is reached', () => {
  test.each(foreign)('%s: no upgrade', async (_, headers) => {
    expect((await ask(upgrade(headers(`127.0.0.1:${port}`)))).status).toBe(403)
  })

  test.each(foreign)('%s: no request, also with the token', async (_, headers) => {
    expect((await ask(request(headers(`127.0.0.1:${port}`)))).status).toBe(403)
  })

  test('an upgrade has to say which page asks', async () => {
    expect((await ask(upgrade([`Host: 127.0.0.1:${port}`]))).status).toBe(403)
  })

  test.each(['/', '/v1/agents', '/v1/socket/', '/v1/socket?device=1', '//v1/socket'])(
    'no upgrade of %s',
    async (path) => {
      expect((await ask(upgrade([`Host: 127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`], path))).status).toBe(
        403,
      )
    },
  )
})

describe('the page itself', () => {
  test.each(own)('by %s', async (_, headers) => {
    const name = `127.0.0.1:${port}`
    expect((await ask(upgrade(headers(name)))).status).toBe(101)
    expect((await ask(request(headers(name)))).status).toBe(200)
  })

  test('a client that offers another protocol is answered once, as if it had not', async () => {
    const offered = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
    const lines = [`GET /v1/agents HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...offered]
    expect((await ask(lines)).status).toBe(200)
    expect((await ask([...lines, 'Origin: http://evil.example'])).status).toBe(403)
  })
})

describe('every answer of the port', () => {
  const name = (): string => `Host: 127.0.0.1:${port}`
  const answers: [string, () => string[]][] = [
    ['the page', () => request([name()], '/')],
    ['a file that is not there', () => request([name()], '/assets/none.js')],
    ['a path that is not there', () => request([name()], '/v1/none')],
    ['a list', () => request([name()])],
    ['no token', () => ['GET /v1/agents HTTP/1.1', name(), 'Connection: close']],
    ['a foreign name', () => request(['Host: evil.example'])],
    ['an upgrade', () => upgrade([name(), 'Origin: http://evil.example'])],
    ['an upgrade that is wrong', () => upgrade([name(), `Origin: http://127.0.0.1:${port}`, 'Sec-WebSocket-Key: x'])],
  ]

  test.each(answers)('%s: lets a browser do nothing with it, and sets no cookie', async (_, lines) => {
    const { head } = await ask(lines())
    const headers = (head.split('\r\n\r\n')[0] ?? '').toLowerCase()
    expect(headers).toContain("content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';")
    expect(headers).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types rein")
    expect(headers).toContain('x-content-type-options: nosniff')
    expect(headers).toContain('referrer-policy: no-referrer')
    expect(headers).toContain('cross-origin-opener-policy: same-origin')
    expect(headers).toContain('permissions-policy: camera=(), microphone=(), geolocation=()')
    expect(headers).toContain('cache-control: no-store')
    expect(headers).not.toContain('unsafe')
    expect(headers).not.toContain('set-cookie')
  })
})

describe('the files of the page', () => {
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)

  test('are kept for ever by name, and the page itself never', async () => {
    const page = await get('/')
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
    const answer = await get(script)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })

  test.each([
    '/assets/../../daemon.js',
    '/assets/%2e%2e/%2e%2e/daemon.js',
    '/..%2fdaemon.js',
    '/.sources',
    '/daemon.js',
  ])('%s is none of them', async (path) => {
    const { status } = await ask(request([`Host: 127.0.0.1:${port}`], path))
    expect([403, 404]).toContain(status)
  })
})

test('the page at localhost leads to where it works', async () => {
  const { status, head } = await ask(request([`Host: localhost:${port}`, 'Connection: close'], '/'))
  expect(status).toBe(302)
  expect(head.toLowerCase()).toContain(`location: http://127.0.0.1:${port}/\r\n`)
})
