import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { now } from '../../../../test/support/builders.ts'
import { readWebhook, type Webhook } from './payload.ts'
import { signGithub } from './signature.ts'

const secret = 'a secret'
const refused = expect.objectContaining({ code: 'forbidden' })

const headersOf =
  (given: Record<string, string>) =>
  (name: string): string | undefined =>
    given[name]

const messageOf = (webhook: Webhook) => {
  if (webhook.kind !== 'message') throw new Error(`It is ${webhook.kind}.`)
  return webhook.message
}

describe('GitHub', () => {
  const read = (body: string, headers: Record<string, string> = {}): Webhook =>
    readWebhook('github', secret, body, headersOf({ 'x-hub-signature-256': signGithub(secret, body), ...headers }), now)

  test('an event: what happened, by whom, once for each delivery', () => {
    const body = '{"action":"opened","sender":{"login":"ada"},"issue":{"title":"Größer"}}'
    expect(messageOf(read(body, { 'x-github-event': 'push', 'x-github-delivery': 'd1' }))).toEqual({
      content: `GitHub issue opened: ${body}`,
      sender: 'ada',
      key: signGithub(secret, body),
      meta: { event: 'issue', delivery: 'd1' },
    })
  })

  test('the same as a form', () => {
    const body = `payload=${encodeURIComponent('{"ref":"main","commits":[],"sender":{"login":"ada"}}')}`
    expect(messageOf(read(body))).toEqual({
      content: 'GitHub push: {"ref":"main","commits":[],"sender":{"login":"ada"}}',
      sender: 'ada',
      key: signGithub(secret, body),
      meta: { event: 'push', delivery: null },
    })
  })

  test('a ping is nothing', () => {
    expect(read('{"zen":"…","hook":{"id":1}}')).toEqual({ kind: 'nothing' })
    expect(read('{"issue":{}}', { 'x-github-event': 'ping' })).toMatchObject({ kind: 'message' })
  })

  test.each(['', 'no JSON', '[1]', '{"sender":"ada","action":7}'])('a body that says nothing: %j', (body) => {
    const { content, ...more } = messageOf(read(body))
    expect(content).toMatch(/^GitHub event: \{/)
    expect(more).toEqual({ key: signGithub(secret, body), meta: { event: 'event', delivery: null } })
  })

  test('a long one is cut, and never through a character', () => {
    for (const before of ['', 'x']) {
      const { content } = messageOf(read(JSON.stringify({ text: before + '😀'.repeat(5_000) })))
      expect([content.length <= 8_001, content.at(-1), /\p{Surrogate}/u.test(content)]).toEqual([true, '…', false])
    }
  })
})

describe('Slack', () => {
  const timestamp = String(Math.floor(now / 1000))
  const headers = (body: string): Record<string, string> => ({
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  })
  const read = (body: string): Webhook => readWebhook('slack', secret, body, headersOf(headers(body)), now)
  const event = (given: object): string => JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: given })

  test('a message: its text, its thread, its author, once for each event', () => {
    const body = event({ type: 'message', user: 'U1', text: 'hi', channel: 'C1', thread_ts: '1.0', ts: '2.0' })
    expect(messageOf(read(body))).toEqual({
      content: 'hi',
      sender: 'U1',
      key: 'Ev1',
      meta: { channel: 'C1', thread: '1.0' },
    })
  })

  test('a command comes as a form', () => {
    const body = 'command=%2Frein&text=a+b&user_id=U2&channel_id=C2&trigger_id=t1'
    expect(messageOf(read(body))).toEqual({
      content: '/rein a b',
      sender: 'U2',
      key: 't1',
      meta: { channel: 'C2', thread: null },
    })
  })

  test('another event is told as it is', () => {
    const body = event({ type: 'reaction_added', user: 'U1', reaction: 'eyes' })
    expect(messageOf(read(body)).content).toBe(body)
  })

  test('the words of a bot are nothing, and a challenge is answered', () => {
    expect(read(event({ type: 'message', bot_id: 'B1', text: 'me again' }))).toEqual({ kind: 'nothing' })
    const body = JSON.stringify({ type: 'url_verification', challenge: 'say this' })
    expect(read(body)).toEqual({ kind: 'challenge', answer: 'say this' })
  })

  test('the same a while later, or without its time, is refused', () => {
    const body = event({ text: 'hi' })
    expect(() => readWebhook('slack', secret, body, headersOf(headers(body)), now + 301_000)).toThrow(refused)
    const { 'x-slack-signature': signature = '' } = headers(body)
    const without = headersOf({ 'x-slack-signature': signature })
    expect(() => readWebhook('slack', secret, body, without, now)).toThrow(refused)
  })
})

test.each<[string, Parameters<typeof readWebhook>[0], string | null, Record<string, string>]>([
  ['no kind is agreed', null, secret, { 'x-hub-signature-256': signGithub(secret, '{}') }],
  ['there is no secret', 'github', null, { 'x-hub-signature-256': signGithub('', '{}') }],
  ['it has no signature', 'github', secret, {}],
  ['it is signed with another secret', 'github', secret, { 'x-hub-signature-256': signGithub('other', '{}') }],
  ['it is signed as by somebody else', 'slack', secret, { 'x-hub-signature-256': signGithub(secret, '{}') }],
])('nothing is read where %s', (_, kind, key, headers) => {
  expect(() => readWebhook(kind, key, '{}', headersOf(headers), now)).toThrow(refused)
})
