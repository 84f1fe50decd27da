import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentRef, anAgent, person } from '../../../test/support/builders.ts'
import { room, said, startChannels, toAgent, toRoom } from '../../../test/support/channel-harness.ts'
import type { Route } from '../../contract/channel.ts'

const code = (wanted: string) => expect.objectContaining({ code: wanted })
const open = anAgent({ request: { cwd: '/', env: {}, args: [], autoApprove: true } })

test('without a route it is held, and goes in the order of arrival to the agent that is named later', async () => {
  const { channels, incoming, texts } = startChannels()
  expect(await incoming.receive(said('one'))).toMatchObject({ agent: null, reason: 'no_route' })
  await incoming.receive(said('two', { channel: 'timer' }))
  expect([texts(), incoming.held().map(({ message }) => message.text)]).toEqual([[], ['one', 'two']])
  await channels.setFallback(toAgent(), person)
  expect(texts()).toEqual(['one', 'two'])
  expect(await incoming.receive(said('three'))).toMatchObject({ agent: agentRef, room: null, reason: null })
  expect([texts(), incoming.held()]).toEqual([['one', 'two', 'three'], []])
})

test('an agent that is alone needs no route; a second one, and its messages are held again', async () => {
  const { channels, incoming, world, texts } = startChannels()
  await incoming.receive(said('early'))
  world.lone = agentRef
  await incoming.pass()
  expect(await incoming.receive(said('now'))).toMatchObject({ agent: agentRef, reason: null })
  expect([texts(), channels.leadsTo('phone', agentRef.id)]).toEqual([['early', 'now'], false])
  world.lone = null
  expect(await incoming.receive(said('whose?'))).toMatchObject({ agent: null, reason: 'no_route' })
})

test('an agent that is alone and asks nobody gets nothing without a route that allows it', async () => {
  const { channels, incoming, world, texts } = startChannels({ agents: [open] })
  world.lone = agentRef
  expect(await incoming.receive(said('do it'))).toMatchObject({ reason: 'bypass_mode' })
  await channels.route('phone', toAgent(true), person)
  expect(texts()).toEqual(['do it'])
})

test.each([
  ['an inbox', toAgent()],
  ['a room', toRoom()],
])('a daemon that ended before it noted what is in %s is followed by one that does, once', async (_, route) => {
  const { channels, incoming, disk, again, texts, posts, records } = startChannels()
  disk.failsFor = 'message.routed'
  await incoming.receive(said('kept'))
  await channels.route('phone', route, person)
  expect([...texts(), ...posts()]).toEqual(['kept'])
  disk.failsFor = ''
  const next = again()
  await next.incoming.pass()
  expect([[...texts(), ...posts()], next.incoming.held()]).toEqual([['kept'], []])
  expect(records.filter(({ type }) => type === 'message.routed')).toHaveLength(1)
})

test('the same key is the same message, also at the same time, and on another channel another', async () => {
  const { channels, incoming, texts } = startChannels()
  await channels.setFallback(toAgent(), person)
  const again = () => incoming.receive(said('once', { key: 'k' }))
  const [first, second] = await Promise.all([again(), again()])
  expect(second?.message.id).toBe(first?.message.id)
  await again()
  await incoming.receive(said('other', { key: 'k', channel: 'timer' }))
  expect(texts()).toEqual(['once', 'other'])
})

test('a full inbox keeps back what comes after, and nothing overtakes', async () => {
  const { channels, incoming, texts, world } = startChannels()
  await channels.setFallback(toAgent(), person)
  world.space = 1
  for (const text of ['one', 'two', 'three']) await incoming.receive(said(text))
  expect([texts(), incoming.held()[0]?.reason]).toEqual([['one'], 'inbox_full'])
  world.space = 3
  await incoming.pass()
  expect(texts()).toEqual(['one', 'two', 'three'])
})

test.each([
  ['an agent', toAgent()],
  ['a room', toRoom()],
])('what answers a question goes to no inbox and no room, and is done: %s', async (_, route) => {
  const { channels, incoming, texts, posts, world } = startChannels()
  await channels.setFallback(route, person)
  world.answers.add('#aaaaaa allow')
  expect(await incoming.receive(said('#aaaaaa allow'))).toMatchObject({ isAnswer: true, room: null, reason: null })
  expect([texts(), posts(), incoming.held(), world.answered]).toEqual([[], [], [], ['#aaaaaa allow']])
})

describe('refused, and nothing is kept', () => {
  test.each([
    ['a name that is a path', said('x', { channel: '../in' }), 'usage'],
    ['no text', said(' \n'), 'empty_text'],
    ['half a character', said('\ud800'), 'invalid_text'],
    ['too much', said('x'.repeat(101)), 'text_too_large'],
    ['a sender that is not on the list', said('x', { channel: 'closed', sender: 'eve' }), 'forbidden'],
    ['nobody in particular where a list is', said('x', { channel: 'closed' }), 'forbidden'],
  ])('%s', async (_, message, wanted) => {
    const { channels, incoming, records } = startChannels()
    await channels.set('closed', { senders: ['ada'] }, person)
    await expect(incoming.receive(message)).rejects.toEqual(code(wanted))
    expect(records.filter(({ type }) => type === 'message.received')).toEqual([])
  })

  test('more than may wait', async () => {
    const { incoming } = startChannels()
    for (const text of ['one', 'two', 'three']) await incoming.receive(said(text))
    await expect(incoming.receive(said('four'))).rejects.toEqual(code('inbox_full'))
  })
})

test('an agent whose tools ask nobody gets only what was confirmed', async () => {
  const { channels, incoming, texts } = startChannels({ agents: [open] })
  await channels.route('phone', toAgent(true), person)
  await incoming.receive(said('confirmed'))
  expect(await incoming.receive(said('not', { channel: 'timer' }))).toMatchObject({ reason: 'no_route' })
  expect(texts()).toEqual(['confirmed'])
})

test('what comes twice at the same time waits once', async () => {
  const { incoming, records } = startChannels()
  const again = () => incoming.receive(said('once', { key: 'k' }))
  await Promise.all([again(), again(), again()])
  expect(incoming.held()).toHaveLength(1)
  expect(records.filter(({ type }) => type === 'message.received')).toHaveLength(1)
})

test('what waits can be withdrawn', async () => {
  const { channels, incoming, texts, again } = startChannels()
  const { message } = await incoming.receive(said('never mind'))
  expect([await incoming.drop(message.id, person), await incoming.drop(message.id, person)]).toEqual([true, false])
  await channels.route('phone', toAgent(), person)
  await again().incoming.pass()
  expect([texts(), incoming.held()]).toEqual([[], []])
})

test('what cannot be delivered is told, stays, and keeps back nothing else', async () => {
  const { channels, incoming, texts, world } = startChannels()
  await channels.route('phone', toAgent(), person)
  world.refused.add('bad')
  expect(await incoming.receive(said('bad'))).toMatchObject({ agent: null })
  await incoming.receive(said('good'))
  expect([texts(), incoming.held().map(({ message }) => message.text)]).toEqual([['good'], ['bad']])
  expect(world.troubles).toContainEqual(code('text_too_large'))
  world.refused.clear()
  await incoming.pass()
  expect([texts(), incoming.held()]).toEqual([['good', 'bad'], []])
})

test('what waits says for whom', async () => {
  const { channels, incoming, world } = startChannels()
  await incoming.receive(said('nobody'))
  world.space = 0
  await channels.route('timer', toAgent(), person)
  await incoming.receive(said('full', { channel: 'timer' }))
  expect(incoming.held().map(({ agent, reason }) => [agent?.handle, reason])).toEqual([
    [undefined, 'no_route'],
    ['worker', 'inbox_full'],
  ])
})

test('a channel that is forgotten leaves what waits to the default', async () => {
  const { channels, incoming, world, texts } = startChannels()
  await channels.route('phone', toAgent(), person)
  world.agents.set(open.id, open)
  expect(await incoming.receive(said('x'))).toMatchObject({ reason: 'bypass_mode' })
  await channels.setFallback(toAgent(true), person)
  await channels.remove('phone', person)
  expect(texts()).toEqual(['x'])
})

describe('into a room', () => {
  test('goes what waited and what comes, under its own id, and no inbox gets it', async () => {
    const { channels, incoming, records, world, texts } = startChannels()
    const { message } = await incoming.receive(said('one', { sender: 'ada' }))
    await channels.route('phone', toRoom(), person)
    expect(await incoming.receive(said('two'))).toMatchObject({ agent: null, room, reason: null })
    expect(world.posted).toMatchObject([{ id: message.id, text: 'one', room }, { text: 'two' }])
    expect([texts(), incoming.held()]).toEqual([[], []])
    expect(records.find(({ type }) => type === 'message.routed')).toMatchObject({
      agent: null,
      project: agentRef.project,
      body: { message: message.id, agent: '', room },
    })
  })

  test('also while agents there ask nobody', async () => {
    const { channels, incoming, posts } = startChannels({ agents: [open] })
    await channels.route('phone', toRoom(), person)
    await incoming.receive(said('one'))
    expect(posts()).toEqual(['one'])
  })

  test('that is gone goes nothing until it is there again', async () => {
    const { channels, incoming, world, posts } = startChannels()
    await channels.setFallback(toRoom(), person)
    world.rooms.clear()
    expect(await incoming.receive(said('one'))).toMatchObject({ room: null, reason: 'no_room' })
    expect(incoming.held()).toMatchObject([{ agent: null, reason: 'no_room' }])
    world.rooms.add(room)
    await incoming.receive(said('two'))
    expect([posts(), incoming.held()]).toEqual([['one', 'two'], []])
  })
})

describe('whatever comes, is routed and fails', () => {
  const routes: (Route | null)[] = [null, toAgent(), toRoom()]
  const aStep = fc.oneof(
    fc.record({ what: fc.constant('say' as const), channel: fc.constantFrom('phone', 'timer') }),
    fc.record({ what: fc.constant('route' as const), route: fc.constantFrom(...routes) }),
    fc.record({ what: fc.constant('fail' as const), isFailing: fc.boolean() }),
    fc.record({ what: fc.constant('restart' as const) }),
  )

  test('each message arrives, and those of a channel in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 30 }), async (steps) => {
        const { disk, again, world, ...first } = startChannels({ limits: { maxHeld: 100 } })
        let { channels, incoming } = first
        const sent: string[] = []
        for (const step of steps) {
          if (step.what === 'say') {
            const { message } = await incoming.receive(said('x', { channel: step.channel }))
            sent.push(`${message.channel} ${message.id}`)
          } else if (step.what === 'route') await channels.route('phone', step.route, person)
          else if (step.what === 'fail') disk.failsFor = step.isFailing ? 'message.routed' : ''
          else ({ channels, incoming } = again())
        }
        disk.failsFor = ''
        await channels.setFallback(toRoom(), person)
        const ofPhone = sent.flatMap((one) => (one.startsWith('phone') ? [one.slice(6)] : []))
        const inOrder = (some: { id: string }[]) => some.flatMap(({ id }) => (ofPhone.includes(id) ? [id] : []))
        const [inInbox, inRoom] = [inOrder(world.delivered), inOrder(world.posted)]
        expect(inInbox).toEqual(ofPhone.filter((id) => inInbox.includes(id)))
        expect(inRoom).toEqual(ofPhone.filter((id) => inRoom.includes(id)))
        expect(new Set([...inInbox, ...inRoom])).toEqual(new Set(ofPhone))
        expect(incoming.held()).toEqual([])
      }),
    )
  })
})
