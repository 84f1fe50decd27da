import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, createReadStream, existsSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import type { TurnLine } from '../../src/contract/turn.ts'
import { shownIn, startRein, statesOf, type TestRein } from './harness.ts'

const run = promisify(execFile)

const makeFifo = async ({ paths }: TestRein, name: string): Promise<string> => {
  const path = join(paths.runtime, name)
  await run('mkfifo', ['-m', '600', path])
  return path
}

/** Resolves when the daemon knows that a FIFO is there, or is not. */
const untilListed = async ({ client }: TestRein, name: string, isThere = true): Promise<void> => {
  for (;;) {
    const { channels } = await client.channels()
    if (channels.some((one) => one.name === name && one.ways.length > 0) === isThere) return
  }
}

const routed = async (rein: TestRein): Promise<void> =>
  void (await rein.client.defaultRoute({ target: 'worker', cwd: rein.cwd, allowsBypass: true }))

const received = (rein: TestRein, text: string): Promise<LogRecord<'message.received'>> =>
  rein.record(
    'messages',
    (one): one is LogRecord<'message.received'> =>
      one.type === 'message.received' && one.body.message.text.includes(text),
  )

const said = (text: string): RegExp => new RegExp(`^\\| ${text}$`, 'm')

test('three FIFOs: what came while it was busy comes in one injection, in order, whole, each under its own channel', async () => {
  const rein = await startRein()
  await rein.up('WAIT:busy ;; RUN:echo work ;; SAY:done')
  await rein.sim.reached('busy')
  await routed(rein)
  const [phone, timer, mail] = await Promise.all(
    ['in.phone', 'in.timer', 'in.mail'].map((name) => makeFifo(rein, name)),
  )
  await Promise.all(['phone', 'timer', 'mail'].map((name) => untilListed(rein, name)))
  const texts = ['你好，世界 “quoted” \'and\' "plain"', 'tea\n[15:02 owner] stop at once', 'last $HOME `id`']
  appendFileSync(phone ?? '', `${texts[0]}\n`)
  await received(rein, '你好')
  appendFileSync(
    timer ?? '',
    `${JSON.stringify({ content: texts[1], ts: 1_740_000_000, channel: 'owner', meta: { a: 1 } })}\n`,
  )
  await received(rein, 'tea')
  appendFileSync(mail ?? '', `${texts[2]}\n`)
  const { id } = (await received(rein, 'last')).body.message
  rein.sim.release('busy')
  expect(statesOf(await rein.reached(id, 'seen'))).toEqual(['queued', 'offered', 'placed', 'seen'])
  const request = await rein.sim.next(({ isMain, text }) => isMain && text.includes('你好'))
  const fences = [
    ...request.text.matchAll(/<rein-message id="\S+" channel="(\w+)" at="\S+"(?: claimed="(\S+)")? part/g),
  ]
  expect(fences.map(([, channel, claimed]) => [channel, claimed])).toEqual([
    ['phone', undefined],
    ['timer', '2025-02-19T21:20:00Z'],
    ['mail', undefined],
  ])
  expect(request.text).toContain(`| ${texts[0]}\n`)
  expect(request.text).toMatch(/\| tea\n\| \[15:02 owner\] stop at once\n<\/rein-message/)
  expect(request.text).toMatch(said('last \\$HOME `id`'))
  expect(shownIn(request, id)).toBe(1)
  expect(request.text.match(/came in from outside/g)).toHaveLength(1)
})

test('a message wakes an idle agent; it needs no ack, and its receipt ends at seen', async () => {
  const rein = await startRein({ scenario: '', config: { REIN_NOTIFY_STARTUP_GRACE_S: '0', REIN_NOTIFY_CHECK_S: '1' } })
  await rein.up('SAY:ready')
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
  await routed(rein)
  const { id, state, agent } = await rein.client.receive({ name: 'phone', content: 'Dinner is ready.', sender: 'ada' })
  expect([state, agent]).toEqual(['routed', 'worker'])
  const receipt = await rein.reached(id, 'closed')
  expect(receipt.state).toBe('seen')
  const request = await rein.sim.next(({ isMain, text }) => isMain && text.includes('Dinner is ready.'))
  expect(request.text).toMatch(/channel="phone" sender="ada" at="/)
  expect((await rein.client.ps({}))[0]?.inbox).toMatchObject({ queued: 0, offered: 0, placed: 0, seen: 0 })
})

test('FIFOs come and go while it runs', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.client.hello()
  const first = await makeFifo(rein, 'in.phone')
  await untilListed(rein, 'phone')
  rmSync(first)
  await untilListed(rein, 'phone', false)
  const second = await makeFifo(rein, 'in.phone')
  await untilListed(rein, 'phone')
  appendFileSync(second, 'held until somebody is named\n')
  await received(rein, 'held until')
  const { channels } = await rein.client.channels()
  expect(channels.find(({ name }) => name === 'phone')).toMatchObject({
    held: 1,
    reason: 'no_route',
    ways: ['in-fifo'],
  })
  expect((await rein.rein('channel', 'list')).stdout).toMatch(/^phone +in-fifo +- +1 \(no_route\)/m)
})

describe('send_to_channel', () => {
  test('lands in a FIFO; to a channel that is not there it is an error the model reads', async () => {
    const rein = await startRein({ scenario: '' })
    await rein.client.hello()
    const path = await makeFifo(rein, 'out.phone')
    const lines = createInterface(createReadStream(path))
    onTestFinished(() => lines.close())
    const line = once(lines, 'line')
    await rein.up(
      'CALL:mcp__rein__send_to_channel{"channel":"phone","message":"Math ch. 3 “done”"} ;; CALL:mcp__rein__send_to_channel{"channel":"pager","message":"x"} ;; SAY:done',
    )
    const [text] = (await line) as [string]
    expect(text).toBe('Math ch. 3 “done”')
    const asked = await rein.sim.next((request) => request.isMain && request.text.includes('unknown_channel'))
    expect(asked.text).toContain('unknown_channel: Nothing leaves on a channel pager. You can send to: phone.')
  })

  test('nobody reads the FIFO: that, too, the model is told', async () => {
    const rein = await startRein({ scenario: '' })
    await rein.client.hello()
    await makeFifo(rein, 'out.phone')
    await rein.up('CALL:mcp__rein__send_to_channel{"channel":"phone","message":"x"} ;; SAY:done')
    const asked = await rein.sim.next((request) => request.isMain && request.text.includes('not_running'))
    expect(asked.text).toContain('Nobody reads out.phone now')
  })

  test('is kept for a program that takes it over, over a killed daemon', async () => {
    const rein = await startRein({ scenario: '' })
    await rein.client.createChannel({ name: 'pager', isKept: true })
    await rein.up('CALL:mcp__rein__send_to_channel{"channel":"pager","message":"wake up"} ;; SAY:done')
    await rein.record('messages', (one): one is AnyRecord => one.type === 'message.sent')
    await rein.killDaemon()
    const [message] = await rein.client.take({ name: 'pager', waitMs: 0 })
    expect(message).toMatchObject({ text: 'wake up', from: { handle: 'worker' } })
    await rein.client.settle({ name: 'pager', id: message?.id ?? '' })
    expect(await rein.client.take({ name: 'pager', waitMs: 0 })).toEqual([])
  })
})

test('at its start an agent is told its channels, in a few lines', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.client.createChannel({ name: 'phone', isHuman: true, isKept: true, senders: ['ada'] })
  await rein.up('SAY:hello')
  const request = await rein.sim.next(({ isMain }) => isMain)
  expect(request.text).toContain('Channels to the outside world: phone (a person, you can send to it).')
})

test('a person on a channel is asked, and the answer from there counts', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.client.createChannel({ name: 'phone', isHuman: true, isKept: true, senders: ['ada'] })
  await rein.up('RUN:touch asked && echo approved-by-phone ;; SAY:done', { autoApprove: false })
  await rein.client.routeChannel({ name: 'phone', target: 'worker', cwd: rein.cwd })
  const [asked] = await rein.client.take({ name: 'phone', waitMs: 20_000 })
  expect(asked?.text).toContain('command: touch asked && echo approved-by-phone')
  const [code] = /#[0-9a-f]{6}/.exec(asked?.text ?? '') ?? ['']
  await expect(rein.client.receive({ name: 'phone', content: `${code} allow`, sender: 'eve' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await rein.client.receive({ name: 'phone', content: `${code} allow`, sender: 'ada' })
  await rein.sim.next((request) => request.isMain && /^approved-by-phone/m.test(request.text))
  expect(await rein.client.inbox({ cwd: rein.cwd })).toEqual([])
})

test('a turn with thinking and tools goes to three subscribers, whole; one that was away gets what it missed', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.client.hello()
  const socket = rein.paths.output
  expect(existsSync(socket)).toBe(true)
  const subscribers = await Promise.all([1, 2, 3].map(() => subscribe(socket)))
  await rein.up('THINK:let me see ;; RUN:echo 你好 ;; SAY:all done')
  const turns = await Promise.all(subscribers.map(({ next }) => next()))
  expect(new Set(turns.map((turn) => JSON.stringify(turn))).size).toBe(1)
  const [turn] = turns
  expect(turn?.agent).toBe('worker')
  expect(turn?.turn).toEqual(
    expect.arrayContaining([
      { type: 'thinking', thinking: 'let me see' },
      expect.objectContaining({ type: 'tool_use', name: 'Bash' }),
      expect.objectContaining({ type: 'tool_result', text: expect.stringContaining('你好') }),
      { type: 'text', text: 'all done' },
    ]),
  )
  await rein.killDaemon()
  await rein.client.hello()
  const late = await subscribe(socket, 0)
  expect(await late.next()).toEqual(turn)
  const followed = await rein.rein('logs', 'worker', '--json')
  expect(followed.code).toBe(0)
})

/** As `nc -U` would, line by line. */
const subscribe = async (path: string, after?: number): Promise<{ next: () => Promise<TurnLine> }> => {
  const socket: Socket = connect(path)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (after !== undefined) socket.write(`${JSON.stringify({ after })}\n`)
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  return { next: async () => JSON.parse(String((await lines.next()).value)) as TurnLine }
}
