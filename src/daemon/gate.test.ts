import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { passesGate } from './gate.ts'

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

test.each(['127.0.0.1:4000', 'localhost:4000'])('our own name passes: %s', (host) => {
  expect(passes({ host })).toBe(true)
  expect(passes({ host, origin: `http://${host}` })).toBe(true)
  expect(passes({ host, ...json }, 'POST')).toBe(true)
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
