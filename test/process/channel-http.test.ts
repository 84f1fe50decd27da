import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedView } from '../../src/contract/routes/channels.ts'
import type { Message } from '../../src/contract/channel.ts'
import { routes } from '../../src/contract/routes/all.ts'
import { agentTokenOf, type Box, createBox, select } from './harness.ts'

/** One for all tests of a group; gone with the last. */
const sharedBox = (config: Record<string, string> = {}): { box: Box; clean: () => void } => {
  let clean = (): void => undefined
  const box = createBox(config, (end) => {
    clean = end
  })
  return { box, clean: () => clean() }
}

interface Post {
  path?: string
  method?: string
  body?: string | Buffer
  token?: string | null
  headers?: Record<string, string>
}

interface Answer {
  status: number
  text: string
}

/** A request byte for byte as it is given: no path is tidied up, and no header added but the length. */
const ask = async (box: Box, { path = '/v1/channels/ci', method = 'POST', ...given }: Post): Promise<Answer> => {
  const { body = 'hello', token = null, headers = {} } = given
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const outgoing = request({
    host: '127.0.0.1',
    port: box.registered()?.port ?? 0,
    agent: false,
    path,
    method,
    headers: { ...length, ...authorization, ...headers },
  })
  outgoing.on('error', () => undefined)
  outgoing.end(method === 'GET' ? undefined : body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const answer = { status: response.statusCode ?? 0, text: await text(response) }
  outgoing.destroy()
  return answer
}

const statusOf = async (box: Box, given: Post): Promise<number> => (await ask(box, given)).status

const received = async (box: Box, given: Post): Promise<ReceivedView> => {
  const answer = await ask(box, given)
  expect(answer).toMatchObject({ status: 200 })
  return JSON.parse(answer.text) as ReceivedView
}

const messages = (box: Box): Message[] =>
  select(box.paths, 'SELECT message FROM message ORDER BY seq').map(
    (row) => JSON.parse(String(row['message'])) as Message,
  )

/** What these requests leave behind: nothing is what most of them should. */
const keptBy = async (box: Box, act: () => Promise<unknown>): Promise<Message[]> => {
  const before = messages(box).length
  await act()
  return messages(box).slice(before)
}

const tokenOf = async (box: Box, name: string, renew = false): Promise<string> =>
  (await box.client().channelToken({ name, renew })).token

const endpointOf = (box: Box) => JSON.parse(readFileSync(box.paths.endpoint, 'utf8')) as Record<string, string>

const json = { 'content-type': 'application/json' }

describe('who gets in', () => {
  let box: Box
  let ci: string
  let pager: string
  beforeAll(async () => {
    const shared = sharedBox()
    box = shared.box
    // Two: one that runs alone gets whatever has no route.
    for (const handle of ['worker', 'other']) await box.runningAgent(handle)
    ci = await tokenOf(box, 'ci')
    pager = await tokenOf(box, 'pager')
    return shared.clean
  })

  test("a channel's token lets messages in on its channel", async () => {
    const kept = await keptBy(box, async () => {
      expect(await received(box, { token: ci, body: 'Grüße, 世界' })).toMatchObject({
        state: 'held',
        reason: 'no_route',
      })
      const body = JSON.stringify({
        content: 'a\nb',
        sender: 'ada',
        ts: 1_740_000_000,
        meta: { n: 1 },
        channel: 'pager',
      })
      await received(box, { token: ci, headers: json, body })
    })
    expect(kept).toMatchObject([
      { channel: 'ci', text: 'Grüße, 世界', sender: null, via: 'http', claimedAt: null, meta: {} },
      { channel: 'ci', text: 'a\nb', sender: 'ada', claimedAt: 1_740_000_000_000, meta: { n: 1 } },
    ])
  })

  test('and does nothing else', async () => {
    // Pairing needs a code, whatever token comes with it.
    const others = Object.entries(routes).filter(([name]) => name !== 'receive' && name !== 'pair')
    const kept = await keptBy(box, async () => {
      for (const [name, { method, path }] of others) {
        const target = path.replaceAll(/:\w+/g, 'ci')
        expect([name, await statusOf(box, { method, path: target, token: ci, headers: json, body: '{}' })]).toEqual([
          name,
          403,
        ])
      }
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        expect(await statusOf(box, { method, token: ci, headers: json })).toBe(403)
    })
    expect(kept).toEqual([])
    expect((await box.client().channels()).channels.map(({ name }) => name)).toEqual(['ci', 'in', 'pager'])
  })

  test.each<[string, () => Post]>([
    ['no token', () => ({})],
    ['an empty token', () => ({ token: '' })],
    ['a token with one letter changed', () => ({ token: `${ci.slice(0, -1)}${ci.endsWith('A') ? 'B' : 'A'}` })],
    ['the token of another channel', () => ({ token: pager })],
    ['its name with the token of another', () => ({ token: pager.replace('pager', 'ci') })],
    ['the token of an agent', () => ({ token: agentTokenOf(box.paths), headers: json, body: '{"content":"x"}' })],
    ['a token in the address', () => ({ path: `/v1/channels/ci?token=${ci}` })],
    ['a channel that is not there', () => ({ path: '/v1/channels/nosuch', token: ci })],
    ['a signature where none is agreed', () => ({ headers: { 'x-hub-signature-256': 'sha256=00' } })],
    ['a foreign Host', () => ({ token: ci, headers: { host: 'evil.example' } })],
    ['a foreign Origin', () => ({ token: ci, headers: { origin: 'https://evil.example' } })],
    ['a page of another site', () => ({ token: ci, headers: { 'sec-fetch-site': 'cross-site' } })],
  ])('%s: 403, and nothing is kept', async (_, given) => {
    expect(await keptBy(box, async () => expect(await statusOf(box, given())).toBe(403))).toEqual([])
  })

  test("the user's own token works on every channel", async () => {
    const { token = '' } = endpointOf(box)
    const kept = await keptBy(box, () => received(box, { path: '/v1/channels/another', token }))
    expect(kept).toMatchObject([{ channel: 'another', via: 'http' }])
  })

  test('events of an agent that nobody knows are refused', async () => {
    const { token = '' } = endpointOf(box)
    const { status, text: said } = await ask(box, { method: 'GET', path: '/v1/turns?target=nobody', token })
    expect([status, said]).toEqual([404, expect.stringContaining('unknown_agent')])
  })

  test('a token that was renewed is worth nothing, also when the channel is made anew', async () => {
    const first = await tokenOf(box, 'renewed')
    const tried = (token: string): Promise<number> => statusOf(box, { path: '/v1/channels/renewed', token })
    expect([await tokenOf(box, 'renewed'), await tried(first)]).toEqual([first, 200])
    const second = await tokenOf(box, 'renewed', true)
    expect([await tried(first), await tried(second)]).toEqual([403, 200])
    await box.client().removeChannel({ name: 'renewed' })
    expect([await tried(first), await tried(second)]).toEqual([403, 403])
    const third = await tokenOf(box, 'renewed')
    expect([await tried(first), await tried(second), await tried(third)]).toEqual([403, 403, 200])
  })

  test('only senders on the list are heard', async () => {
    const token = await tokenOf(box, 'closed')
    await box.client().createChannel({ name: 'closed', senders: ['ada', 'bob'] })
    const as = (sender?: string): Promise<number> =>
      statusOf(box, {
        path: '/v1/channels/closed',
        token,
        headers: json,
        body: JSON.stringify({ content: 'x', sender }),
      })
    const kept = await keptBy(box, async () =>
      expect([await as('ada'), await as('eve'), await as('Ada'), await as(), await as('bob')]).toEqual([
        200, 403, 403, 403, 200,
      ]),
    )
    expect(kept.map(({ sender }) => sender)).toEqual(['ada', 'bob'])
  })

  test.each([
    '/v1/channels/../x',
    '/v1/channels/..',
    '/v1/channels/%2e%2e',
    '/v1/channels/%2e%2e%2fx',
    '/v1/channels/ci%2f..%2fpager',
    '/v1/channels/CI',
    `/v1/channels/${'x'.repeat(33)}`,
    '/v1/channels/ci%00',
    '/v1/channels/ci%0a',
    '/v1/channels/%F0%9F%98%80',
    '/v1/channels/ci/../../agents/down',
  ])('a name that is none is refused, whoever asks: %s', async (path) => {
    const { token = '' } = endpointOf(box)
    const filesOf = (): string[] => readdirSync(box.root, { recursive: true, encoding: 'utf8' }).toSorted()
    const files = filesOf()
    const kept = await keptBy(box, async () => {
      for (const suffix of ['', '/token', '/out', '/route']) {
        const given = {
          path: `${path}${suffix}`,
          headers: json,
          body: '{"content":"x","signature":"github","text":"x"}',
        }
        // The token of a channel is given over the socket alone.
        const refused = suffix === '/token' ? [400, 403, 404] : [400, 404]
        expect(refused).toContain(await statusOf(box, { ...given, token }))
        expect(await statusOf(box, { ...given, token: ci })).toBe(403)
      }
    })
    expect([kept, filesOf()]).toEqual([[], files])
  })

  test('an agent may list channels and send to them, and nothing beyond', async () => {
    await box.client().createChannel({ name: 'pager', isKept: true })
    const token = agentTokenOf(box.paths)
    const may: [number, string, string, object][] = [
      [200, 'GET', '/v1/channels', {}],
      [200, 'POST', '/v1/channels/pager/out', { text: 'hello' }],
      [403, 'POST', '/v1/channels', { name: 'mine' }],
      [403, 'POST', '/v1/channels/pager', { content: 'x' }],
      [403, 'POST', '/v1/channels/pager/remove', {}],
      [403, 'POST', '/v1/channels/pager/route', { target: 'worker', cwd: box.cwd }],
      [403, 'POST', '/v1/channels/pager/token', {}],
      [403, 'POST', '/v1/channels/pager/take', { waitMs: 0 }],
      [403, 'POST', '/v1/channels/pager/settle', { id: 'out_1' }],
      [403, 'GET', '/v1/channels/pager/tail', {}],
      [403, 'POST', '/v1/default-route', { target: 'worker', cwd: box.cwd }],
      [403, 'GET', '/v1/outgoing/dead', {}],
      [403, 'POST', '/v1/outgoing/out_1/retry', {}],
      [403, 'POST', '/v1/adapters', { name: 'a', kind: 'timer', config: '/x', env: {} }],
      [403, 'POST', '/v1/adapters/a/stop', {}],
      [403, 'GET', '/v1/turns', {}],
    ]
    for (const [status, method, path, body] of may)
      expect([path, await statusOf(box, { method, path, token, headers: json, body: JSON.stringify(body) })]).toEqual([
        path,
        status,
      ])
    expect(await box.client().take({ name: 'pager', waitMs: 0 })).toMatchObject([
      { text: 'hello', from: { handle: 'worker' }, replyTo: null },
    ])
  })
})

describe('signed webhooks', () => {
  const secret = 'a secret of eight and more'
  let box: Box
  beforeAll(async () => {
    const shared = sharedBox()
    box = shared.box
    await box.client().channelToken({ name: 'hub', signature: 'github', secret })
    await box.client().channelToken({ name: 'slack', signature: 'slack', secret })
    await box.client().channelToken({ name: 'other', signature: 'github' })
    return shared.clean
  })

  const hmac = (key: string, content: string): string => createHmac('sha256', key).update(content).digest('hex')
  const push = JSON.stringify({ action: 'opened', sender: { login: 'ada' }, issue: { title: 'Größer' } })

  const hub = (given: { body?: string; key?: string; delivery?: string; event?: string; headers?: object }): Post => {
    const { body = push, key = secret, delivery = 'd-1', event = 'issues', headers = {} } = given
    const signature = { 'x-hub-signature-256': `sha256=${hmac(key, body)}` }
    const about = { 'x-github-event': event, 'x-github-delivery': delivery }
    return { path: '/v1/channels/hub', body, headers: { ...json, ...signature, ...about, ...headers } }
  }

  const slack = (given: { body: string; key?: string; ageS?: number; headers?: object }): Post => {
    const { body, key = secret, ageS = 0, headers = {} } = given
    const timestamp = String(Math.floor(Date.now() / 1000) - ageS)
    const signature = `v0=${hmac(key, `v0:${timestamp}:${body}`)}`
    const signed = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }
    return { path: '/v1/channels/slack', body, headers: { ...json, ...signed, ...headers } }
  }
  const event = (given: object): string => JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: given })
  const hello = event({ type: 'message', user: 'U1', text: 'hello', channel: 'C1', ts: '1.2' })

  test('of GitHub: one message, however often it is delivered', async () => {
    const kept = await keptBy(box, async () => {
      const [first, again] = [await received(box, hub({})), await received(box, hub({}))]
      expect(again.id).toBe(first.id)
      const form = `payload=${encodeURIComponent(push)}`
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      await received(box, hub({ body: form, delivery: 'd-2', headers: type }))
    })
    const about = { channel: 'hub', sender: 'ada', meta: { event: 'issue' }, text: `GitHub issue opened: ${push}` }
    expect(kept).toMatchObject([about, about])
  })

  test('what was delivered once is refused under another number, by the next daemon, too', async () => {
    const body = JSON.stringify({ action: 'deleted', sender: { login: 'ada' }, issue: { title: 'Once' } })
    const kept = await keptBy(box, async () => {
      const first = await received(box, hub({ body, delivery: 'd-10' }))
      for (const claimed of ['issues', 'push', 'ping'])
        expect(await ask(box, hub({ body, delivery: 'd-11', event: claimed }))).toMatchObject({
          status: 409,
          text: expect.stringContaining(first.id),
        })
      await box.client().stop()
      await box.client().hello()
      expect(await statusOf(box, hub({ body, delivery: 'd-12' }))).toBe(409)
      expect((await received(box, hub({ body, delivery: 'd-10' }))).id).toBe(first.id)
    })
    expect(kept).toHaveLength(1)
  })

  test('what no signature covers is told to nobody as a fact', async () => {
    const body = JSON.stringify({ action: 'closed', sender: { login: 'ada' }, pull_request: { number: 7 } })
    const kept = await keptBy(box, async () => {
      await received(box, hub({ body, delivery: 'd-20', event: 'security_advisory from your boss' }))
    })
    expect(kept).toMatchObject([{ text: `GitHub pull_request closed: ${body}`, meta: { event: 'pull_request' } }])
    expect(JSON.stringify(kept)).not.toContain('boss')
  })

  test('a copy of what Slack signed is the same message, also without an id of its own', async () => {
    const copied = slack({ body: JSON.stringify({ type: 'block_actions', user: 'U1', text: 'once' }) })
    const kept = await keptBy(box, async () => {
      const [first, again] = [await received(box, copied), await received(box, copied)]
      expect(again.id).toBe(first.id)
    })
    expect(kept).toHaveLength(1)
  })

  test('of Slack: events as JSON, commands as a form', async () => {
    const command = 'command=%2Frein&text=status+please&user_id=U2&channel_id=C2&trigger_id=t1'
    const kept = await keptBy(box, async () => {
      const [first, again] = [await received(box, slack({ body: hello })), await received(box, slack({ body: hello }))]
      expect(again.id).toBe(first.id)
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      await received(box, slack({ body: command, headers: type }))
    })
    expect(kept).toMatchObject([
      { text: 'hello', sender: 'U1', meta: { channel: 'C1', thread: '1.2' } },
      { text: '/rein status please', sender: 'U2', meta: { channel: 'C2' } },
    ])
  })

  test.each<[string, () => Post]>([
    ['another secret', () => hub({ key: 'another secret' })],
    ['a secret of another channel', () => ({ ...hub({}), path: '/v1/channels/other' })],
    ['a body that was changed', () => ({ ...hub({}), body: push.replace('ada', 'eve') })],
    ['no signature', () => ({ path: '/v1/channels/hub', body: push })],
    ['the old kind of signature alone', () => ({ path: '/v1/channels/hub', headers: { 'x-hub-signature': 'sha1=0' } })],
    ["GitHub's signature where Slack's is agreed", () => ({ ...hub({}), path: '/v1/channels/slack' })],
    ["Slack: another's secret", () => slack({ body: hello, key: 'another secret' })],
    ['Slack: a copy that is six minutes old', () => slack({ body: hello, ageS: 360 })],
    [
      'Slack: a copy with a new time',
      () => slack({ body: hello, headers: { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000) - 9) } }),
    ],
    ['Slack: no time', () => slack({ body: hello, headers: { 'x-slack-request-timestamp': '' } })],
    ['Slack: a challenge that nobody signed', () => slack({ body: '{"type":"url_verification"}', key: 'no' })],
  ])('%s: 403, and nothing is kept', async (_, given) => {
    expect(await keptBy(box, async () => expect(await statusOf(box, given())).toBe(403))).toEqual([])
  })

  test('a test of the connection and the words of a bot are nothing, and a challenge is answered', async () => {
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'say this' })
    const kept = await keptBy(box, async () => {
      expect(await statusOf(box, hub({ body: '{"zen":"Keep it simple.","hook":{}}', delivery: 'd-9' }))).toBe(204)
      expect(await statusOf(box, slack({ body: event({ type: 'message', bot_id: 'B1', text: 'me' }) }))).toBe(204)
      expect(await ask(box, slack({ body: challenge }))).toEqual({ status: 200, text: 'say this' })
    })
    expect(kept).toEqual([])
  })

  test('the secret is in a file of its own, and in no log; a channel that is forgotten takes it along', async () => {
    expect(select(box.paths, 'SELECT seq FROM record WHERE body LIKE ?', `%${secret}%`)).toEqual([])
    expect(JSON.stringify(box.log())).not.toContain(secret)
    await box.client().removeChannel({ name: 'hub' })
    expect(await statusOf(box, hub({ delivery: 'd-3' }))).toBe(403)
    const made = await box.client().channelToken({ name: 'hub', signature: 'github' })
    expect(made.secret).toMatch(/^[\w-]{43}$/)
    expect(await statusOf(box, hub({ delivery: 'd-3' }))).toBe(403)
    await received(box, hub({ delivery: 'd-3', key: made.secret ?? '' }))
  })
})

describe('limits', () => {
  let box: Box
  let token: string
  beforeAll(async () => {
    const shared = sharedBox({ REIN_CHANNELS_RATE_PER_MINUTE: '3', REIN_CHANNELS_MAX_TEXT_BYTES: '1024' })
    box = shared.box
    token = await tokenOf(box, 'ci')
    return shared.clean
  })

  const code = ({ text: body }: Answer): string => (JSON.parse(body) as { error: { code: string } }).error.code
  const from = (sender: string, body: object = { content: 'x' }): Post => ({
    token,
    headers: json,
    body: JSON.stringify({ sender, ...body }),
  })

  test('more than a megabyte is refused, whether that is said in advance or turns out', async () => {
    const kept = await keptBy(box, async () => {
      const told = await ask(box, { token, headers: { 'content-length': String(1024 * 1024 + 1) } })
      const body = 'x'.repeat(1024 * 1024 + 1)
      const untold = await ask(box, { token, headers: { 'transfer-encoding': 'chunked' }, body })
      expect([told, untold].map((one) => [one.status, code(one)])).toEqual([
        [413, 'text_too_large'],
        [413, 'text_too_large'],
      ])
    })
    expect(kept).toEqual([])
  })

  test.each([
    ['text of too many bytes', from('a', { content: 'ä'.repeat(513) }), 'text_too_large'],
    ['no text', from('b', { content: ' \n' }), 'empty_text'],
    ['half a character', from('c', { content: '\ud800' }), 'invalid_text'],
    ['JSON that is none', { ...from('d'), body: '{"content": "x"' }, 'usage'],
    ['JSON without content', from('e', { content: undefined }), 'usage'],
    ['content that is no text', from('f', { content: { a: 1 } }), 'usage'],
    ['a list', { ...from('g'), body: '["x"]' }, 'usage'],
    ['a sender with too long a name', from('h'.repeat(201)), 'usage'],
    ['an empty key', from('i', { content: 'x', key: '' }), 'usage'],
  ])('%s is refused, and nothing is kept', async (_, given, wanted) => {
    const kept = await keptBy(box, async () => {
      const answer = await ask(box, { ...given, token })
      expect([answer.status, code(answer)]).toEqual([wanted === 'text_too_large' ? 413 : 400, wanted])
    })
    expect(kept).toEqual([])
  })

  test('each sender has a minute of its own', async () => {
    const kept = await keptBy(box, async () => {
      for (const status of [200, 200, 200, 429, 429]) expect(await statusOf(box, from('flood'))).toBe(status)
      expect(await statusOf(box, from('other'))).toBe(200)
      expect(code(await ask(box, from('flood')))).toBe('rate_limited')
    })
    expect(kept.map(({ sender }) => sender)).toEqual(['flood', 'flood', 'flood', 'other'])
  })
})

test('one key is one message: sent twice, at once, and to a daemon that follows one that was killed', async () => {
  const box = createBox()
  const daemon = await box.daemon()
  const token = await tokenOf(box, 'ci')
  const send = async (key: string): Promise<string> =>
    (await received(box, { token, body: `once ${key}`, headers: { 'idempotency-key': key } })).id
  const ids = await Promise.all(Array.from({ length: 20 }, () => send('k1')))
  const other = await received(box, { token, headers: json, body: '{"content":"once k2","key":"k2"}' })
  await daemon.kill()
  await box.daemon()
  ids.push(await send('k1'))
  expect([new Set(ids).size, await send('k2')]).toEqual([1, other.id])
  expect(messages(box).map((one) => one.text)).toEqual(['once k1', 'once k2'])
  expect((await box.client().channels()).channels.find(({ name }) => name === 'ci')?.held).toBe(2)
})
