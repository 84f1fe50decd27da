import { describe, expect, test } from 'vitest'
import { agentRef, anAgent, person } from '../../../test/support/builders.ts'
import { room, said, startChannels, toAgent, toRoom } from '../../../test/support/channel-harness.ts'
import type { LaunchRequest } from '../../contract/agent.ts'
import { Route } from '../../contract/channel.ts'

const code = (wanted: string) => expect.objectContaining({ code: wanted })
const request = (given: Partial<LaunchRequest>): LaunchRequest => ({ cwd: '/', env: {}, args: [], ...given })
const open = anAgent({ request: request({ autoApprove: true }) })

test('what is known is what was written down', async () => {
  const { channels, again } = startChannels()
  await channels.set('phone', { senders: ['ada'], isKept: true }, person)
  await channels.route('phone', toAgent(), person)
  await channels.setFallback(toRoom(), person)
  const { channels: next } = again()
  expect([next.all, next.fallback]).toEqual([channels.all, toRoom()])
  expect(next.get('phone')).toMatchObject({ senders: ['ada'], isKept: true, route: toAgent() })
  expect([next.routeOf('phone'), next.routeOf('timer')]).toEqual([toAgent(), toRoom()])
})

test('changes come one after the other, and one that changes nothing is not written', async () => {
  const { channels, records } = startChannels()
  const count = (): Promise<unknown> =>
    channels.set('phone', ({ tokenVersion }) => ({ tokenVersion: tokenVersion + 1 }), person)
  await Promise.all([count(), count(), count()])
  await channels.set('phone', { tokenVersion: 4 }, person)
  expect([channels.get('phone')?.tokenVersion, records.length]).toEqual([4, 3])
})

test.each([
  ['a name that is a path', '../in', {}, 'usage'],
  ['a person whom everybody could claim to be', 'phone', { isHuman: true }, 'usage'],
])('refused: %s', async (_, name, changes, wanted) => {
  const { channels, records } = startChannels()
  await expect(channels.set(name, changes, person)).rejects.toEqual(code(wanted))
  expect(records).toEqual([])
})

test('only what is there can be forgotten', async () => {
  const { channels } = startChannels()
  await channels.set('phone', {}, person)
  await channels.remove('phone', person)
  expect(channels.get('phone')).toBeUndefined()
  await expect(channels.remove('phone', person)).rejects.toEqual(code('unknown_channel'))
})

test('a route that was written down before there were rooms is still one', () => {
  expect(Route.parse({ agent: agentRef, allowsBypass: true })).toEqual(toAgent(true))
  expect(Route.parse({ room, allowsBypass: false })).toEqual(toRoom())
})

describe('an agent whose tools ask nobody', () => {
  test('gets no route until that was confirmed for this pair', async () => {
    const { channels } = startChannels({ agents: [open] })
    await expect(channels.route('phone', toAgent(), person)).rejects.toEqual(code('refused'))
    await expect(channels.setFallback(toAgent(), person)).rejects.toEqual(code('refused'))
    await channels.route('phone', toAgent(true), person)
    expect(channels.obstacleOf('phone')).toBeNull()
    expect([channels.mayHear(open.id, 'phone', undefined), channels.mayHear(open.id, 'timer', undefined)]).toEqual([
      true,
      false,
    ])
  })

  test('is not started where a channel leads to it', async () => {
    const { channels } = startChannels()
    await channels.setFallback(toAgent(), person)
    const bypass = request({ permissionMode: 'bypassPermissions' })
    expect(() => channels.checkLaunch(anAgent(agentRef), bypass)).toThrow(/without asking/)
    expect(() => channels.checkLaunch(anAgent(agentRef), request({ permissionMode: 'plan' }))).not.toThrow()
    expect(() => channels.checkLaunch(anAgent({ ...agentRef, id: 'agt_2' }), bypass)).not.toThrow()
    await channels.setFallback(toAgent(true), person)
    expect(() => channels.checkLaunch(anAgent(agentRef), bypass)).not.toThrow()
  })

  test('also if its CLI decides itself what runs when nothing is said', async () => {
    const { channels } = startChannels({ startMode: 'auto', agents: [anAgent({ request: request({}) })] })
    await expect(channels.route('phone', toAgent(), person)).rejects.toThrow(/without asking/)
    await channels.route('phone', toAgent(true), person)
    expect(channels.obstacleOf('phone')).toBeNull()
    expect(() => channels.checkLaunch(anAgent(agentRef), request({}))).not.toThrow()
    await channels.route('phone', null, person)
    expect(channels.mayHear(agentRef.id, 'phone', undefined)).toBe(false)
    expect(channels.mayHear(agentRef.id, 'phone', 'default')).toBe(true)
  })

  test('also if only its CLI says so', async () => {
    const { channels } = startChannels()
    await channels.route('phone', toAgent(), person)
    const hears = (mode?: string): boolean => channels.mayHear(agentRef.id, 'phone', mode)
    expect([hears(), hears('plan'), hears('bypassPermissions')]).toEqual([true, true, false])
    expect(channels.mayHear(agentRef.id, null, 'bypassPermissions')).toBe(true)
  })
})

describe('a channel of a room', () => {
  const elsewhere = anAgent({ id: 'agt_2', project: 'other-4d5e6f', request: open.request })

  test('leads to all agents of its project, and to no other', async () => {
    const { channels } = startChannels({ agents: [anAgent(), anAgent({ id: 'agt_3', handle: 'third' }), elsewhere] })
    await channels.route('phone', toRoom(), person)
    const leadsTo = ['agt_1', 'agt_3', 'agt_2', 'agt_nosuch'].map((id) => channels.leadsTo('phone', id))
    expect(leadsTo).toEqual([true, true, false, false])
  })

  test('is heard by one that asks nobody only if that was confirmed', async () => {
    const { channels } = startChannels({ agents: [open, elsewhere] })
    await channels.route('phone', toRoom(), person)
    expect(() => channels.checkLaunch(open, request({ autoApprove: true }))).not.toThrow()
    expect([channels.obstacleOf('phone'), channels.mayHear(open.id, 'phone', undefined)]).toEqual([null, false])
    await channels.route('phone', toRoom(true), person)
    expect(channels.mayHear(open.id, 'phone', undefined)).toBe(true)
    expect(channels.mayHear(elsewhere.id, 'phone', undefined)).toBe(false)
  })

  test('is refused if there is no such room', async () => {
    const { channels, records, world } = startChannels()
    world.rooms.clear()
    await expect(channels.route('phone', toRoom(), person)).rejects.toEqual(code('unknown_room'))
    await expect(channels.setFallback(toRoom(), person)).rejects.toEqual(code('unknown_room'))
    expect(records).toEqual([])
  })

  test('can be changed in other ways while its room is gone', async () => {
    const { channels, incoming, world } = startChannels()
    await channels.route('phone', toRoom(), person)
    world.rooms.clear()
    await channels.set('phone', { senders: ['ada'] }, person)
    expect(await incoming.receive(said('x', { sender: 'ada' }))).toMatchObject({ room: null, reason: 'no_room' })
  })
})
