import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { now } from '../../../test/support/builders.ts'
import { postPush, type PushOutcome, readAnswer } from './post.ts'

test.each<[number, string | undefined, PushOutcome]>([
  [201, undefined, { kind: 'taken' }],
  [200, undefined, { kind: 'taken' }],
  [404, undefined, { kind: 'gone' }],
  [410, '5', { kind: 'gone' }],
  [413, undefined, { kind: 'too_large' }],
  [429, '30', { kind: 'later', reason: 'status 429', retryInMs: 30_000 }],
  [503, undefined, { kind: 'later', reason: 'status 503' }],
  [500, '0', { kind: 'later', reason: 'status 500', retryInMs: 1_000 }],
  [503, '99999999', { kind: 'later', reason: 'status 503', retryInMs: 3_600_000 }],
  [503, new Date(now + 60_000).toUTCString(), { kind: 'later', reason: 'status 503', retryInMs: 60_000 }],
  [503, 'soon', { kind: 'later', reason: 'status 503' }],
  [301, undefined, { kind: 'refused', reason: 'status 301' }],
  [307, undefined, { kind: 'refused', reason: 'status 307' }],
  [403, '5', { kind: 'refused', reason: 'status 403' }],
])('%i, Retry-After %s', (status, retryAfter, outcome) => {
  expect(readAnswer(status, retryAfter, now)).toEqual(outcome)
})

const post = (url: string, allowsLoopback = true) =>
  postPush({ url: new URL(url), body: Buffer.from('x'), headers: {} }, { now: () => now, allowsLoopback })

/** Says something that is no answer to a request. */
const serving = async (words: string): Promise<string> => {
  const server = createServer((socket) => socket.on('error', () => undefined).end(words)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/s3cret`
}

test.each([
  '',
  'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  `HTTP/1.1 201 ${'x'.repeat(99_999)}`,
])('a service that does not speak is asked again later: %#', async (words) => {
  const outcome = await post(await serving(words))
  expect(outcome).toMatchObject({ kind: 'later', reason: expect.stringMatching(/^no answer/) })
  expect(JSON.stringify(outcome)).not.toContain('s3cret')
})

test('an answer that never ends is an answer', async () => {
  const url = await serving('HTTP/1.1 201 Created\r\ncontent-length: 1000000\r\n\r\nx')
  expect(await post(url)).toEqual({ kind: 'taken' })
})

test('an address of this machine is refused at every message, also one that was kept', async () => {
  const url = await serving('HTTP/1.1 201 Created\r\n\r\n')
  expect(await post(url, false)).toEqual({ kind: 'refused', reason: 'its address is not https' })
})

test('a name that leads to this machine by now is not connected to', async () => {
  expect(await post('https://localhost/s3cret')).toEqual({
    kind: 'refused',
    reason: 'localhost is in a private network.',
  })
})
