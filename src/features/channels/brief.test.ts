import { expect, test } from 'vitest'
import { aCall } from '../../../test/support/builders.ts'
import type { HookCall } from '../../contract/hooks.ts'
import { brief, briefResponder, type KnownChannel } from './brief.ts'

const channel = (given: Partial<KnownChannel>): KnownChannel => ({
  name: 'phone',
  isHuman: false,
  isMine: false,
  room: null,
  canSend: false,
  ...given,
})

test('names what an agent can hear from and send to, in a few lines', () => {
  const text = brief([
    channel({ name: 'phone', isHuman: true, isMine: true, canSend: true }),
    channel({ name: 'timer', isMine: true }),
    channel({ name: 'pager', canSend: true }),
    channel({ name: 'ops', isMine: true, room: 'build' }),
    channel({ name: 'others', isHuman: true }),
  ])
  const [first, ...more] = text?.split('\n') ?? []
  expect(first).toBe(
    'Channels to the outside world: phone (a person, brings you messages, you can send to it); timer (brings you messages); pager (you can send to it); ops (brings messages into the room build).',
  )
  expect(more).toHaveLength(2)
  expect(more.join('\n')).toMatch(/not from the user[^]*send_to_channel[^]*reply_to/)
})

test('nothing where there is nothing to say', () => {
  expect([brief([]), brief([channel({})])]).toEqual([null, null])
})

const takesAtStart = (): boolean => true

test('where nothing is taken in at a start, it comes with the first prompt of each conversation', async () => {
  const responder = briefResponder(
    () => [channel({ isMine: true })],
    (agent) => agent !== 'agt_1',
  )
  const told = async (event: HookCall['event'], given: Partial<HookCall> = {}) =>
    ((await responder.respond(aCall({ event, ...given }), 9000)).context ?? []).length
  expect(await told('session_start')).toBe(0)
  expect([await told('prompt'), await told('prompt')]).toEqual([1, 0])
  expect(await told('prompt', { conversation: 'another' })).toBe(1)
  expect(await told('prompt', { agent: 'agt_2' })).toBe(0)
})

test('is told to an agent at its start, and to no sub-agent or stranger', async () => {
  const asked: string[] = []
  const responder = briefResponder((agent) => {
    asked.push(agent)
    return [channel({ isMine: true })]
  }, takesAtStart)
  const told = async (given: Partial<HookCall> = {}, from = responder) =>
    from.respond(aCall({ event: 'session_start', ...given }), 9000)
  expect(await told()).toMatchObject({ context: [{ from: 'channels' }] })
  expect(await told({ subagent: { id: 'sub-1', type: 'Explore' } })).toEqual({})
  expect(await told({ agent: null })).toEqual({})
  expect(asked).toEqual(['agt_1'])
  expect(
    await told(
      {},
      briefResponder(() => [], takesAtStart),
    ),
  ).toEqual({})
})
