import { describe, expect, test } from 'vitest'
import { agentRef, anAgent, now, person } from '../../test/builders.ts'
import type { Agent, LaunchRequest } from '../contract/agent.ts'
import type { Message, Route } from '../contract/channel.ts'
import { ReinError } from '../contract/errors.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { asksNobody, Channels, type NewMessage } from './channels.ts'
import type { HeldMessage } from './channel.ts'

const code = (wanted: string) => expect.objectContaining({ code: wanted })

/** A log in memory and an inbox that only remembers. */
const start = (given: { limits?: Partial<{ maxTextBytes: number; maxHeld: number }>; agents?: Agent[] } = {}) => {
  const records: AnyNewRecord[] = []
  const troubles: unknown[] = []
  const answered: string[] = []
  const delivered: { text: string; agent: string; id: string }[] = []
  const agents = new Map((given.agents ?? [anAgent()]).map((agent) => [agent.id, agent]))
  const world = { room: Number.POSITIVE_INFINITY, answers: new Set<string>(), refused: new Set<string>() }
  const written = (): Message[] => records.flatMap((one) => (one.type === 'message.received' ? [one.body.message] : []))
  const routed = (): string[] =>
    records.flatMap((one) =>
      one.type === 'message.routed' || one.type === 'message.dropped' ? [one.body.message] : [],
    )
  const load = () => ({
    channels: [
      ...new Map(
        records.flatMap((one) => (one.type === 'channel.set' ? [[one.body.channel.name, one.body.channel]] : [])),
      ).values(),
    ],
    fallback: records.flatMap((one) => (one.type === 'channel.default' ? [one.body.route] : [])).at(-1) ?? null,
    held: written().flatMap((message, seq): HeldMessage[] => (routed().includes(message.id) ? [] : [{ message, seq }])),
  })
  let ids = 0
  const create = (): Channels => {
    const channels = new Channels(
      {
        append: async (some) => some.map((one) => records.push(one)),
        load,
        find: (id) => written().find((one) => one.id === id),
        agent: (id) => agents.get(id) ?? null,
        isAnswer: ({ text }) => world.answers.has(text),
        answer: async ({ text }) => void answered.push(text),
        deliver: async ({ id, text }, agent) => {
          if (world.refused.has(text)) throw new ReinError('text_too_large', 'too large')
          if (delivered.length >= world.room) throw new ReinError('inbox_full', 'full')
          if (!delivered.some((one) => one.id === id)) delivered.push({ id, text, agent: agent.id })
          return agent
        },
        now: () => now,
        newId: (prefix) => `${prefix}_${++ids}`,
        onHeld: () => undefined,
        onChange: () => undefined,
        onTrouble: (cause) => void troubles.push(cause),
      },
      { maxTextBytes: 100, maxHeld: 3, ...given.limits },
    )
    channels.open()
    return channels
  }
  const texts = (): string[] => delivered.map(({ text }) => text)
  return { channels: create(), again: create, records, troubles, agents, world, texts, delivered }
}

const route = (allowsBypass = false): Route => ({ agent: agentRef, allowsBypass })
const say = (text: string, more: Partial<NewMessage> = {}): NewMessage => ({
  channel: 'phone',
  text,
  via: 'fifo',
  ...more,
})

test('without a route it is held, and goes in the order of arrival to the agent that is named later', async () => {
  const { channels, texts } = start()
  expect(await channels.receive(say('one'))).toMatchObject({ agent: null, reason: 'no_route' })
  await channels.receive(say('two', { channel: 'timer' }))
  expect([texts(), channels.held().map(({ message }) => message.text)]).toEqual([[], ['one', 'two']])
  await channels.setFallback(route(), person)
  await channels.pass()
  expect(texts()).toEqual(['one', 'two'])
  expect(await channels.receive(say('three'))).toMatchObject({ agent: agentRef, reason: null })
  expect([texts(), channels.held()]).toEqual([['one', 'two', 'three'], []])
})

test('a daemon that ended before it passed on what it took in is followed by one that does, once', async () => {
  const { channels, again, texts, records } = start()
  await channels.receive(say('kept'))
  await channels.route('phone', route(), person)
  records.splice(
    records.findIndex(({ type }) => type === 'message.routed'),
    1,
  )
  await again().pass()
  expect(texts()).toEqual(['kept'])
})

test('the same key is the same message, also at the same time, and on another channel another', async () => {
  const { channels, texts } = start()
  await channels.setFallback(route(), person)
  const again = () => channels.receive(say('once', { key: 'k' }))
  const [first, second] = await Promise.all([again(), again()])
  expect(second?.message.id).toBe(first?.message.id)
  await again()
  await channels.receive(say('other', { key: 'k', channel: 'timer' }))
  expect(texts()).toEqual(['once', 'other'])
})

test('a full inbox keeps back what comes after, and nothing overtakes', async () => {
  const { channels, texts, world } = start()
  await channels.setFallback(route(), person)
  world.room = 1
  for (const text of ['one', 'two', 'three']) await channels.receive(say(text))
  expect([texts(), channels.held()[0]?.reason]).toEqual([['one'], 'inbox_full'])
  world.room = 3
  await channels.pass()
  expect(texts()).toEqual(['one', 'two', 'three'])
})

test('what answers a question of an agent goes to no inbox, and is done', async () => {
  const { channels, texts, world } = start()
  await channels.setFallback(route(), person)
  world.answers.add('#aaaaaa allow')
  expect(await channels.receive(say('#aaaaaa allow'))).toMatchObject({ reason: null })
  expect([texts(), channels.held()]).toEqual([[], []])
})

describe('refused, and nothing is kept', () => {
  test.each([
    ['a name that is a path', say('x', { channel: '../in' }), 'usage'],
    ['no text', say(' \n'), 'empty_text'],
    ['half a character', say('\ud800'), 'invalid_text'],
    ['too much', say('x'.repeat(101)), 'text_too_large'],
    ['a sender that is not on the list', say('x', { channel: 'closed', sender: 'eve' }), 'forbidden'],
    ['nobody in particular where a list is', say('x', { channel: 'closed' }), 'forbidden'],
  ])('%s', async (_, message, wanted) => {
    const { channels, records } = start()
    await channels.set('closed', { senders: ['ada'] }, person)
    await expect(channels.receive(message)).rejects.toEqual(code(wanted))
    expect(records.filter(({ type }) => type === 'message.received')).toEqual([])
  })

  test('more than may wait', async () => {
    const { channels } = start()
    for (const text of ['one', 'two', 'three']) await channels.receive(say(text))
    await expect(channels.receive(say('four'))).rejects.toEqual(code('inbox_full'))
  })
})

describe('an agent whose tools ask nobody', () => {
  const request = (given: Partial<LaunchRequest>): LaunchRequest => ({ cwd: '/', env: {}, args: [], ...given })
  const open = anAgent({ request: request({ autoApprove: true }) })

  test('gets nothing from outside until that was confirmed for this pair', async () => {
    const { channels, texts } = start({ agents: [open] })
    await expect(channels.route('phone', route(), person)).rejects.toEqual(code('refused'))
    await expect(channels.setFallback(route(), person)).rejects.toEqual(code('refused'))
    await channels.route('phone', route(true), person)
    await channels.receive(say('confirmed'))
    expect(await channels.receive(say('not', { channel: 'timer' }))).toMatchObject({ reason: 'no_route' })
    expect(texts()).toEqual(['confirmed'])
  })

  test('is not started where a channel leads to it, and gets nothing if it is all the same', async () => {
    const { channels, agents, texts } = start()
    await channels.setFallback(route(), person)
    expect(() => channels.checkLaunch(agentRef, request({ permissionMode: 'bypassPermissions' }))).toThrow(
      /without asking/,
    )
    expect(() => channels.checkLaunch(agentRef, request({ permissionMode: 'plan' }))).not.toThrow()
    agents.set(open.id, open)
    expect(await channels.receive(say('x'))).toMatchObject({ reason: 'bypass_mode' })
    expect(texts()).toEqual([])
  })

  test.each<[Partial<LaunchRequest>, boolean]>([
    [{ autoApprove: true }, true],
    [{ permissionMode: 'bypassPermissions' }, true],
    [{ args: ['--dangerously-skip-permissions'] }, true],
    [{ args: ['--yolo'] }, true],
    [{ args: ['--ask-for-approval=never'] }, true],
    [{ args: ['-anever'] }, true],
    [{ args: ['-c', 'approval_policy = "never"'] }, true],
    [{ args: ['--config=profiles.x.approval_policy="never"'] }, true],
    [{ args: ['-sdanger-full-access'] }, true],
    [{ args: ['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}'] }, true],
    [{ args: ['--autopilot'] }, true],
    [{ args: ['--allow-tool', 'shell'] }, true],
    [{ args: ['--allowedTools', 'Bash'] }, true],
    [{ env: { COPILOT_ALLOW_ALL: '1' } }, true],
    [{ policy: { otherwise: 'ask' as const, tools: { Bash: 'approve' as const } } }, true],
    [{ policy: { otherwise: 'ask' as const, tools: { Read: 'approve' as const } } }, false],
    [{ args: ['--allowedTools', 'Bash(git log:*)'] }, false],
    [{ args: ['--append-system-prompt', 'never push'] }, false],
    [{ args: ['--add-dir=/home/u/bypass'] }, false],
    [{ args: ['--dangerously-bypass-hook-trust'] }, false],
    [{ args: ['-a', 'never'] }, true],
    [{ policy: { otherwise: 'approve', tools: {} } }, true],
    [{ policy: { otherwise: 'ask', tools: { Read: 'approve' } } }, false],
    [{ permissionMode: 'acceptEdits' }, false],
    [{ args: ['--model', 'opus'] }, false],
    [{}, false],
  ])('%j: %s', (given, expected) => {
    expect(asksNobody(request(given))).toBe(expected)
  })
})

test('what comes twice at the same time waits once', async () => {
  const { channels, records } = start()
  const again = () => channels.receive(say('once', { key: 'k' }))
  await Promise.all([again(), again(), again()])
  expect(channels.held()).toHaveLength(1)
  expect(records.filter(({ type }) => type === 'message.received')).toHaveLength(1)
})

test('what waits can be withdrawn', async () => {
  const { channels, texts, again } = start()
  const { message } = await channels.receive(say('never mind'))
  expect([await channels.drop(message.id, person), await channels.drop(message.id, person)]).toEqual([true, false])
  await channels.route('phone', route(), person)
  await again().pass()
  expect([texts(), channels.held()]).toEqual([[], []])
})

test('when a route is set, what waited is on its way', async () => {
  const { channels, texts } = start()
  await channels.receive(say('one'))
  await channels.route('phone', route(), person)
  expect([texts(), channels.held()]).toEqual([['one'], []])
})

test('what cannot be delivered is told, stays, and keeps back nothing else', async () => {
  const { channels, texts, world, troubles } = start()
  await channels.route('phone', route(), person)
  world.refused.add('bad')
  expect(await channels.receive(say('bad'))).toMatchObject({ agent: null })
  await channels.receive(say('good'))
  expect([texts(), channels.held().map(({ message }) => message.text)]).toEqual([['good'], ['bad']])
  expect(troubles).toContainEqual(code('text_too_large'))
  world.refused.clear()
  await channels.pass()
  expect([texts(), channels.held()]).toEqual([['good', 'bad'], []])
})

test('what waits says for whom', async () => {
  const { channels, world } = start()
  await channels.receive(say('nobody'))
  world.room = 0
  await channels.route('timer', route(), person)
  await channels.receive(say('full', { channel: 'timer' }))
  expect(channels.held().map(({ agent, reason }) => [agent?.handle, reason])).toEqual([
    [undefined, 'no_route'],
    ['worker', 'inbox_full'],
  ])
})

test('a channel that is forgotten leaves what waits to the default', async () => {
  const open = anAgent({ request: { cwd: '/', env: {}, args: [], autoApprove: true } })
  const { channels, agents, texts } = start()
  await channels.route('phone', route(), person)
  agents.set(open.id, open)
  expect(await channels.receive(say('x'))).toMatchObject({ reason: 'bypass_mode' })
  await channels.setFallback(route(true), person)
  await channels.remove('phone', person)
  expect(texts()).toEqual(['x'])
})
