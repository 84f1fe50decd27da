import { expect, test } from 'vitest'
import { aRecord, agentRef } from '../../../test/support/builders.ts'
import { room } from '../../../test/support/channel-harness.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import { Channel, type Message } from '../../contract/channel.ts'
import { allChannels, defaultRoute, heldMessages } from './store.ts'

const message = (id: string): Message => ({
  id,
  channel: 'phone',
  text: id,
  sender: 'ada',
  via: 'socket',
  at: 1,
  claimedAt: null,
  meta: {},
})

test('routes to agents and to rooms are read as they were written', async () => {
  const { log, db } = startLog()
  const toAgent = { agent: agentRef, allowsBypass: true }
  const toRoom = { room, allowsBypass: false }
  const channels = [Channel.parse({ name: 'phone', route: toRoom }), Channel.parse({ name: 'timer', route: toAgent })]
  await log.append(channels.map((channel) => aRecord('channel.set', { channel })))
  await log.append([aRecord('channel.default', { route: toAgent })])
  expect([allChannels(db), defaultRoute(db)]).toEqual([channels, toAgent])
  await log.append([aRecord('channel.default', { route: toRoom })])
  expect(defaultRoute(db)).toEqual(toRoom)
})

test('what is in an inbox or in a room does not wait any more, also in tables that are made anew', async () => {
  const { log, db } = startLog()
  await log.append(['msg_1', 'msg_2', 'msg_3'].map((id) => aRecord('message.received', { message: message(id) })))
  await log.append([
    aRecord('message.routed', { message: 'msg_1', agent: '', room }),
    aRecord('message.routed', { message: 'msg_2', agent: agentRef.id }),
  ])
  const waiting = (): string[] => heldMessages(db).map((one) => one.message.id)
  expect(waiting()).toEqual(['msg_3'])
  await log.rebuild()
  expect(waiting()).toEqual(['msg_3'])
})
