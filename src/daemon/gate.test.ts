import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isPageUpgrade, pageElsewhere, passesGate } from './gate.ts'

const port = 4000
const json = { 'content-type': 'application/json' }

const request = (
  headers: Record<string, string>,
  method = 'GET',
  url = '/v1/hello',
  more: string[] = [],
): IncomingMessage =>
  ({ headers, method, url, rawHeaders: [...Object.entries(headers).flat(), ...more] }) as unknown as IncomingMessage
const passes = (...args: Parameters<typeof request>): boolean => passesGate(request(...args), port)

test.each(['127.0.0.1:4000', 'localhost:4000', '[::1]:4000'])('our own name passes: %s', (host) => {
  expect(passes({ host })).toBe(true)
  expect(passes({ host, origin: 'http://127.0.0.1:4000' })).toBe(true)
  expect(passes({ host, ...json }, 'POST')).toBe(true)
})

test.each(['localhost:4000', '[::1]:4000'])('a page at %s is not ours: another user can have that address', (host) => {
  expect(passes({ host, origin: `http://${host}` })).toBe(false)
  expect(passes({ host, origin: `http://${host}`, ...json }, 'POST', '/v1/web/pair')).toBe(false)
})

test.each([
  'evil.example',
  'evil.example:4000',
  '127.0.0.1',
  '127.0.0.1:4001',
  '127.0.0.1:4000.evil.example',
  'localhost',
  '0.0.0.0:4000',
  '',
])('another name is turned away, as a rebound DNS name would be: %j', (host) => {
  expect(passes({ host })).toBe(false)
})

test('no name, or two of them', () => {
  expect(passes({})).toBe(false)
  expect(passes({ host: '127.0.0.1:4000' }, 'GET', '/', ['Host', 'evil.example'])).toBe(false)
})

test.each([
  'https://evil.example',
  'null',
  'http://127.0.0.1',
  'https://127.0.0.1:4000',
  'http://localhost:4000.evil.example',
  '',
])('another origin is turned away: %j', (origin) => {
  expect(passes({ host: '127.0.0.1:4000', origin })).toBe(false)
})

test.each([
  ['same-origin', true],
  ['none', true],
  ['cross-site', false],
  ['same-site', false],
])('a fetch that is %s: %s', (site, expected) => {
  expect(passes({ host: '127.0.0.1:4000', 'sec-fetch-site': site })).toBe(expected)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''])(
  'what a form of another page could send is turned away: %j',
  (type) => {
    expect(passes({ host: '127.0.0.1:4000', 'content-type': type }, 'POST')).toBe(false)
  },
)

test('JSON passes, with a charset too', () => {
  expect(passes({ host: '127.0.0.1:4000', 'content-type': 'application/json; charset=utf-8' }, 'POST')).toBe(true)
})

test.each(['http://evil.example/v1/hello', '*', ''])('a request for %j is not for us', (url) => {
  expect(passes({ host: '127.0.0.1:4000' }, 'GET', url)).toBe(false)
})

test.each([
  ['localhost:4000', 'GET', '/', 'http://127.0.0.1:4000/'],
  ['[::1]:4000', 'GET', '/?x', 'http://127.0.0.1:4000/?x'],
  ['127.0.0.1:4000', 'GET', '/', null],
  ['evil.example', 'GET', '/', null],
  ['localhost:4000', 'GET', '/v1/hello', null],
  ['localhost:4000', 'GET', '//evil.example', null],
  ['localhost:4000', 'POST', '/', null],
])('the page at %s: %s %s leads to %s', (host, method, url, location) => {
  expect(pageElsewhere(request({ host }, method, url), port)).toBe(location)
})

test('the page at a name of web.hosts stays there', () => {
  expect(pageElsewhere(request({ host: 'localhost:4000' }, 'GET', '/'), port, ['localhost:4000'])).toBeNull()
})

describe('names of web.hosts', () => {
  const hosts = ['box.tail1234.ts.net', 'localhost:8080']
  const passesAt = (...args: Parameters<typeof request>): boolean => passesGate(request(...args), port, hosts)

  test.each([
    ['box.tail1234.ts.net', 'https://box.tail1234.ts.net'],
    ['Box.Tail1234.ts.net', 'https://box.tail1234.ts.net'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:4000', 'https://box.tail1234.ts.net'],
  ])('%s and the page at %s pass', (host, origin) => {
    expect(passesAt({ host })).toBe(true)
    expect(passesAt({ host, origin })).toBe(true)
    expect(passesAt({ host, origin, ...json }, 'POST')).toBe(true)
  })

  test.each([
    ['evil.box.tail1234.ts.net', undefined],
    ['box.tail1234.ts.net:8443', undefined],
    ['box.tail1234.ts.net.evil.example', undefined],
    ['localhost:8081', undefined],
    ['box.tail1234.ts.net', 'https://evil.example'],
    ['box.tail1234.ts.net', 'https://box.tail1234.ts.net:8443'],
    ['box.tail1234.ts.net', 'https://box.tail1234.ts.net.evil.example'],
    ['127.0.0.1:4000', 'https://127.0.0.1:4000'],
  ])('%s with the page at %s does not', (host, origin) => {
    expect(passesAt({ host, ...(origin === undefined ? {} : { origin }) })).toBe(false)
  })

  test('without the setting they are foreign', () => {
    expect(passes({ host: 'box.tail1234.ts.net' })).toBe(false)
  })
})

describe('a visit from another page', () => {
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const host = '127.0.0.1:4000'

  test('shows the page, in a tab of its own', () => {
    expect(passes({ host, ...visit }, 'GET', '/')).toBe(true)
  })

  test.each([
    [{ ...visit, 'sec-fetch-dest': 'iframe' }, 'GET', '/'],
    [{ ...visit, 'sec-fetch-mode': 'no-cors' }, 'GET', '/'],
    [visit, 'GET', '/v1/daemon'],
    [visit, 'GET', '/?x'],
    [{ ...visit, ...json }, 'POST', '/'],
    [{ ...visit, origin: 'http://evil.example' }, 'GET', '/'],
  ] as const)('but not %j %s %s', (headers, method, url) => {
    expect(passes({ host, ...headers }, method, url)).toBe(false)
  })
})

test.each([
  ['/v1/socket', { upgrade: 'websocket', origin: 'http://127.0.0.1:4000' }, true],
  ['/v1/socket', { upgrade: 'WebSocket', origin: 'http://127.0.0.1:4000' }, true],
  ['/v1/socket', { upgrade: 'websocket' }, false],
  ['/v1/socket', { upgrade: 'h2c', origin: 'http://127.0.0.1:4000' }, false],
  ['/v1/socket?x', { upgrade: 'websocket', origin: 'http://127.0.0.1:4000' }, false],
  ['/', { upgrade: 'websocket', origin: 'http://127.0.0.1:4000' }, false],
] as const)('an upgrade of %s with %j is the page: %s', (url, headers, expected) => {
  expect(isPageUpgrade(request(headers, 'GET', url))).toBe(expected)
})
