import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import { type RouteName, routes } from '../../src/contract/routes/all.ts'
import type { Card } from '../../src/contract/routes/route.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { maxFrameBytes, maxPages, maxUnknown, maxUnknownBytes } from '../../src/contract/socket-terms.ts'
import { quoted } from '../../src/base/util/shell.ts'
import { createKey, enter, pairDevice, type PairedDevice, postPair, signAs, Tab } from '../support/page-client.ts'
import { commandAgents, runUnder } from './commanded-agent.ts'
import { createBox, repository, until } from './harness.ts'
import { endpointOf } from './mcp-call.ts'
import { sharePage, startIn, startPage } from './page-box.ts'

const shared = sharePage()

describe('a client that nobody knows', () => {
  test('is cut off as soon as it sends more than a hello', async () => {
    const { port } = shared()
    const tab = new Tab(port)
    await tab.challenge()
    // A frame that never ends: only its bytes tell.
    tab.ws.send('x'.repeat(maxUnknownBytes), { fin: false })
    expect(await tab.closed).toBe(1006)
  })

  test('gives way to others, the oldest first; a device stays', async () => {
    const { client, port } = await startPage()
    const device = await enter(await pairDevice(client, port, ['read']))
    const oldest = new Tab(port)
    await oldest.challenge()
    const others = Array.from({ length: maxUnknown }, () => new Tab(port))
    await Promise.all(others.map((tab) => tab.challenge()))
    expect(await oldest.closed).toBe(1006)
    expect(await device.call('devices').catch(({ code }: { code: string }) => code)).toBe('forbidden')
    for (const tab of [...others, device]) tab.ws.terminate()
  })
})

const refusalOf = async (tab: Tab): Promise<unknown> => [
  await tab.closed,
  (tab.frames.at(-1)?.['refused'] as { code: string } | undefined)?.code,
]

describe('a device is let in', () => {
  test('with the signature of its key over this page and this challenge', async () => {
    const { client, port } = await startPage()
    const device = await pairDevice(client, port, ['read'])
    const tab = await enter(device)
    expect(tab.frames[1]).toMatchObject({ welcome: { device: { id: device.id, name: 'phone', scopes: ['read'] } } })
    expect(tab.ws.extensions).toBe('')
    expect(await client.devices({})).toMatchObject([{ connections: 1, lastSeenAt: expect.any(Number) }])
    await tab.close()
    await until(async () => (await client.devices({}))[0]?.connections === 0)
  })

  const page = (port: number): string => `http://127.0.0.1:${port}`

  test.each([
    [
      'for another page',
      ({ privateKey }: PairedDevice, challenge: string) => signAs(privateKey, 'http://evil.example', challenge),
    ],
    [
      'of another key',
      ({ port }: PairedDevice, challenge: string) => signAs(createKey().privateKey, page(port), challenge),
    ],
    ['for another challenge', ({ port, privateKey }: PairedDevice) => signAs(privateKey, page(port), 'A'.repeat(43))],
    ['that is none', () => 'nothing'],
    ['that is empty', () => ''],
  ] as const)('but not with a signature %s', async (_, sign) => {
    const { client, port } = shared()
    const device = await pairDevice(client, port)
    const tab = new Tab(port)
    tab.send({ hello: { device: device.id, signature: sign(device, await tab.challenge()) } })
    expect(await refusalOf(tab)).toEqual([4401, 'forbidden'])
  })

  test('nor at another address than it was paired at, whoever had the key sign for that', async () => {
    const { client, port } = await startIn(createBox({ REIN_WEB_HOSTS: 'localhost:8080' }))
    const { code } = await client.pairStart({ scopes: [...scopes] })
    const { key, privateKey } = createKey()
    const answer = await postPair(port, { code, name: 'x', key }, 'http://localhost:8080')
    const { device } = (await answer.json()) as { device: { id: string } }
    expect(await refusalOf(await enter({ port, id: device.id, privateKey }))).toEqual([4401, 'forbidden'])
  })

  test('nor with a signature that was used before, nor on a second try', async () => {
    const { client, port } = shared()
    const device = await pairDevice(client, port)
    const [first, second] = [new Tab(port), new Tab(port)]
    const signature = signAs(device.privateKey, page(port), await first.challenge())
    const hello = { hello: { device: device.id, signature } }
    first.send(hello)
    await first.frame((frame) => 'welcome' in frame)
    await second.challenge()
    second.send(hello)
    expect(await refusalOf(second)).toEqual([4401, 'forbidden'])
    first.send(hello)
    expect(await first.closed).toBe(1008)
  })

  test('nor when nobody knows it', async () => {
    const { port } = shared()
    const tab = await enter({ port, id: 'dev_0', privateKey: createKey().privateKey })
    expect(await refusalOf(tab)).toEqual([4401, 'unknown_device'])
  })

  test('nor from a process of an agent, with the key of a device', async () => {
    const { box, client, port } = await startPage()
    const device = await pairDevice(client, port)
    commandAgents(box)
    await box.runningAgent('mallory')
    const pem = device.privateKey.export({ format: 'pem', type: 'pkcs8' })
    const script = `${box.root}/thief.mjs`
    writeFileSync(
      script,
      `import { createPrivateKey, sign } from 'node:crypto'
import { WebSocket } from ${JSON.stringify(`${repository}/node_modules/ws/wrapper.mjs`)}
const origin = 'http://127.0.0.1:${port}'
const ws = new WebSocket('ws://127.0.0.1:${port}/v1/socket', { origin })
ws.on('message', (data) => {
  const frame = JSON.parse(data)
  if (frame.challenge === undefined) return console.log(String(data))
  const key = { key: createPrivateKey(${JSON.stringify(pem)}), dsaEncoding: 'ieee-p1363' }
  const signature = sign('sha256', Buffer.from('rein web 1\\n' + origin + '\\n' + frame.challenge), key).toString('base64url')
  ws.send(JSON.stringify({ hello: { device: ${JSON.stringify(device.id)}, signature } }))
})
ws.on('close', (code) => console.log(code))
`,
    )
    const { stdout } = await runUnder(box, 'mallory', `env -i ${quoted(process.execPath)} ${quoted(script)}`)
    expect(stdout).toContain('This browser was started by the agent mallory.')
    expect(stdout.trim().split('\n').at(-1)).toBe('4401')
  })
})

test.each([
  ['feed', { topics: ['turns', 'devices'] }],
  ['tail', { topic: 'adapters' }],
])('a device that may only read does not read who can reach this machine: %s', async (route, input) => {
  const { client, port } = shared()
  const tab = await enter(await pairDevice(client, port, ['read']))
  const id = tab.open(route, input)
  expect(await tab.frame((frame) => frame.id === id)).toMatchObject({ error: { code: 'forbidden' } })
  await expect(tab.call('page', { topics: ['subscriptions'], before: 9 })).rejects.toThrow('it needs the scope admin')
})

test.each([
  ['no JSON', 'x', 1008],
  ['no hello', { id: 1, call: 'ps', input: {} }, 1008],
  ['a hello with more in it', { hello: { device: 'a', signature: 'b', scopes: ['admin'] } }, 1008],
])('a first frame that is %s ends the connection', async (_, frame, code) => {
  const { port } = shared()
  const tab = new Tab(port)
  await tab.challenge()
  tab.send(frame)
  expect(await tab.closed).toBe(code)
})

test('a frame of a device that is too much ends the connection', async () => {
  const { client, port } = shared()
  const tab = await enter(await pairDevice(client, port))
  tab.send('x'.repeat(maxFrameBytes + 1))
  expect(await tab.closed).toBe(1009)
})

describe('calls and streams', () => {
  test('are those of the command line, with the same answers and refusals', async () => {
    const { box, client, port } = await startPage()
    await box.runningAgent('ada')
    const tab = await enter(await pairDevice(client, port))
    expect(await tab.call('ps', {})).toEqual(await client.ps({}))
    const told = (await tab.call('tell', { target: 'ada', cwd: box.cwd, text: 'Use tabs.', from: 'me' })) as {
      id: string
    }
    expect(await tab.call('receipt', { id: told.id })).toMatchObject({ id: told.id })
    for (const [name, input] of [
      ['ps', { all: 'perhaps' }],
      ['receipt', { id: 'dir_0' }],
      ['tell', { target: 'ada', cwd: box.cwd, text: '', from: 'me' }],
    ] as const) {
      const call = client[name] as (given: object) => Promise<unknown>
      const byRequest = await call(input).catch((cause: Error) => cause)
      expect(await tab.call(name, input).catch((cause: Error) => cause)).toEqual(byRequest)
    }
  })

  test.each([
    ['no route', { call: 'nothing' }, 'not_found'],
    ['one that everything has', { call: 'constructor' }, 'not_found'],
    ['a stream that is called', { call: 'watch' }, 'usage'],
    ['a call that is opened', { open: 'ps' }, 'usage'],
    ['a parameter that is missing', { call: 'receipt' }, 'usage'],
    ['a parameter that is no text', { call: 'receipt', input: { id: 7 } }, 'usage'],
  ])('%s: refused, and the connection stays', async (_, frame, code) => {
    const { client, port } = shared()
    const tab = await enter(await pairDevice(client, port))
    tab.send({ id: 500, input: {}, ...frame })
    expect(await tab.frame(({ id }) => id === 500)).toMatchObject({ error: { code } })
    expect(await tab.call('devices')).toContainEqual(expect.objectContaining({ connections: 1 }))
  })

  test('a stream comes line by line as far as it is allowed, and ends when it is closed', async () => {
    const { box, client, port } = await startPage()
    await box.stoppedAgent('ada')
    for (let n = 0; n < 100; n += 1) await client.tell({ target: 'ada', cwd: box.cwd, text: `${n}`, from: 'me' })
    const tab = await enter(await pairDevice(client, port))
    const id = tab.open('tail', { topic: 'directives', after: 0, follow: true })
    await until(() => tab.linesOf(id).length >= 64)
    expect(await tab.call('ps', {})).toHaveLength(0)
    expect(tab.linesOf(id)).toHaveLength(64)
    tab.send({ id, credit: 1000 })
    const all: unknown[] = []
    for await (const line of client.tail({ topic: 'directives', after: 0 })) all.push(line)
    await until(() => tab.linesOf(id).length === all.length)
    tab.send({ id, close: true })
    await tab.call('ps', {})
    await client.tell({ target: 'ada', cwd: box.cwd, text: 'more', from: 'me' })
    await tab.call('ps', {})
    expect(tab.linesOf(id)).toEqual(all)
    const whole = tab.open('tail', { topic: 'devices', after: 0 })
    await tab.frame((frame) => frame.id === whole && frame['end'] === true)
    expect(tab.linesOf(whole)).toMatchObject([{ type: 'device.paired' }, { type: 'device.seen' }])
  })
})

test('a note that a device adds waits for a person on the machine', async () => {
  const { box, client, port } = await startPage()
  await box.stoppedAgent('ada')
  const tab = await enter(await pairDevice(client, port, ['read', 'tell']))
  const note = { cwd: box.cwd, title: 'Tabs', text: 'Use tabs.' }
  expect(await tab.call('addNote', note)).toMatchObject({ state: 'proposed', file: null })
  expect(await client.notes({ cwd: box.cwd })).toMatchObject({ notes: [], proposed: 1 })
  expect(await client.proposedNotes({ cwd: box.cwd })).toMatchObject([{ title: 'Tabs', by: 'device phone' }])
})

/** Every route that these scopes do not open, with the refusal of each. */
test.each(scopes)('a device with the scope %s is refused every other route', async (scope) => {
  const { client, port } = shared()
  const tab = await enter(await pairDevice(client, port, [scope]))
  const cards = Object.entries<Card>(routes) as [RouteName, Card][]
  const byHand = ['hello', 'receive']
  const closed = cards.filter(
    ([name, card]) => card.scope !== scope || card.media !== undefined || card.isLocal || byHand.includes(name),
  )
  const codes: [string, unknown][] = []
  for (const [name] of closed) codes.push([name, await tab.call(name).catch(({ code }: { code: string }) => code)])
  expect(closed.length).toBeGreaterThan(cards.length / 2)
  expect(codes.filter(([, code]) => code !== 'forbidden')).toEqual([])
  await expect(client.status()).resolves.toBeDefined()
})

test('a revoked device is cut off at once, and stays out', async () => {
  const { client, port } = await startPage()
  const device = await pairDevice(client, port)
  const [tab, other] = [await enter(device), await enter(await pairDevice(client, port))]
  const stream = tab.open('watch', {})
  await tab.frame(({ id }) => id === stream)
  expect(await client.revokeDevice({ id: 'phone' })).toMatchObject({ id: device.id, revokedAt: expect.any(Number) })
  expect(await refusalOf(tab)).toEqual([4401, 'unknown_device'])
  expect(await refusalOf(await enter(device))).toEqual([4401, 'unknown_device'])
  expect(await other.call('ps')).toEqual([])
  expect(await client.devices({})).toHaveLength(1)
  expect(await client.devices({ all: true })).toHaveLength(2)
  // Its key pairs again only with a code, and then as a new device.
  const { code } = await client.pairStart({ scopes: ['read'] })
  const again = (await (await postPair(port, { code, name: 'x', key: device.key })).json()) as {
    device: { id: string }
  }
  expect(again.device.id).not.toBe(device.id)
})

/** Asks for a permission as soon as it is prompted. */
const askingClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
done='{"type":"result","subtype":"success"}'
echo "$done"
while read -r line; do
  case $line in
    *control_response*) echo "$done" ;;
    *) echo '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"make"}}}' ;;
  esac
done
`

test('of two devices that answer the same question the second one is refused', async () => {
  const { box, client, port } = await startPage()
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', askingClaude, { mode: 0o755 })
  await box.runningAgent('ada')
  await client.prompt({ target: 'ada', cwd: box.cwd, text: 'Go on.' })
  const [one, other] = [await enter(await pairDevice(client, port)), await enter(await pairDevice(client, port))]
  const stream = one.open('watch', {})
  const asked = await one.frame(({ id, line }) => {
    const agents = (line as { agents?: AgentView[] } | undefined)?.agents ?? (line as AgentView[] | undefined) ?? []
    return id === stream && agents.some(({ question }) => question !== null)
  })
  const [agent] = ((asked['line'] as { agents?: AgentView[] }).agents ?? asked['line']) as AgentView[]
  const answer = { target: 'ada', cwd: box.cwd, answer: 'allow', question: agent?.question?.id }
  const outcomes = await Promise.all(
    [one, other].map((tab) =>
      tab
        .call('answer', answer)
        .then(() => 'answered')
        .catch(({ code }: { code: string }) => code),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['answered', 'nothing_to_answer'])
})

test('what a device does is in the log with its name, also what leaves no record', async () => {
  const { box, client, port } = await startPage()
  await box.runningAgent('ada')
  const tab = await enter(await pairDevice(client, port))
  await until(async () => (await client.ps({}))[0]?.state === 'idle')
  await tab.call('prompt', { target: 'ada', cwd: box.cwd, text: 'Go on.' })
  await tab.call('rebuild')
  await tab.call('ps')
  const records = await tab.call('page', { topics: ['agents'], before: Number.MAX_SAFE_INTEGER })
  const { records: all } = records as { records: { type: string; actor: object }[] }
  expect(all.filter(({ type }) => type === 'agent.prompted')).toMatchObject([
    { actor: { kind: 'user', via: { kind: 'device', name: 'phone' } } },
  ])
  const acts = box.log().filter(({ msg }) => msg === 'act')
  expect(acts).toMatchObject(['prompt', 'rebuild'].map((route) => ({ name: 'phone', route })))
})

test('a device with too many pages open has its oldest one ended, and told why; others are not touched', async () => {
  const { client, port } = await startPage()
  const [device, other] = [await pairDevice(client, port), await enter(await pairDevice(client, port))]
  const tabs: Tab[] = []
  for (let pages = 0; pages < maxPages; pages += 1) tabs.push(await enter(device))
  const [oldest, second] = tabs
  expect(await second?.call('devices')).toMatchObject([{ connections: maxPages }, { connections: 1 }])
  const further = await enter(device)
  expect(oldest === undefined ? null : await refusalOf(oldest)).toEqual([4401, 'rate_limited'])
  for (const tab of [second, further, other])
    expect(await tab?.call('devices')).toMatchObject([{ connections: maxPages }, { connections: 1 }])
})

test('a daemon that is killed ends the connection, and the next one knows the device', async () => {
  const box = createBox()
  const daemon = await box.daemon()
  const { port } = endpointOf(box)
  const device = await pairDevice(box.client(), port)
  const tab = await enter(device)
  await daemon.kill()
  expect(await tab.closed).toBe(1006)
  await box.daemon()
  expect(endpointOf(box).port).toBe(port)
  const again = await enter(device)
  expect(await again.call('devices', {})).toMatchObject([{ id: device.id, connections: 1 }])
  await box.client().rebuild()
  expect(await again.call('devices', {})).toMatchObject([{ id: device.id, connections: 1 }])
})

test('a daemon that is stopped says so', async () => {
  const { client, port } = await startPage()
  const tab = await enter(await pairDevice(client, port))
  await client.stop()
  expect(await tab.closed).toBe(1001)
})
