import { expect, test } from 'vitest'
import { aCall } from '../../test/builders.ts'
import type { HookCall } from '../contract/hooks.ts'
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
  expect(more.join('\n')).toMatch(/not from the person in charge[^]*send_to_channel[^]*reply_to/)
})

test('nothing where there is nothing to say', () => {
  expect([brief([]), brief([channel({})])]).toEqual([null, null])
})

test('is told to an agent at its start, and to no sub-agent or stranger', async () => {
  const asked: string[] = []
  const responder = briefResponder((agent) => {
    asked.push(agent)
    return [channel({ isMine: true })]
  })
  expect(responder.events).toEqual(['session_start'])
  const told = async (given: Partial<HookCall> = {}, from = responder) =>
    from.respond(aCall({ event: 'session_start', ...given }), 9000)
  expect(await told()).toMatchObject({ context: [{ from: 'channels' }] })
  expect(await told({ subagent: { id: 'sub-1', type: 'Explore' } })).toEqual({})
  expect(await told({ agent: null })).toEqual({})
  expect(asked).toEqual(['agt_1'])
  expect(
    await told(
      {},
      briefResponder(() => []),
    ),
  ).toEqual({})
})
