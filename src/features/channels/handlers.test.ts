import { expect, test } from 'vitest'
import type { Actor } from '../../contract/identity.ts'
import { noticeChannel } from '../../contract/notice-events.ts'
import { pushChannel } from '../../contract/push.ts'
import { send } from './handlers.ts'
import type { ChannelParts } from './parts.ts'

const person: Actor = { kind: 'user', name: 'user' }
const phone: Actor = { ...person, via: { kind: 'device', id: 'dev_1', name: 'phone' } }

const sendAs = async (actor: Actor, channel: string): Promise<string[]> => {
  const sent: string[] = []
  const sender: Pick<ChannelParts['sender'], 'send'> = {
    send: async (_, { channel: name }) => {
      sent.push(name)
      return { id: 'out_1', channel: name, state: 'kept' }
    },
  }
  await send({ sender } as ChannelParts, actor, channel, { text: '{}' })
  return sent
}

test.each([noticeChannel, pushChannel])('a device cannot speak as Rein does on %s', async (channel) => {
  await expect(sendAs(phone, channel)).rejects.toThrow(`No device sends on ${channel}`)
  expect(await sendAs(person, channel)).toEqual([channel])
  expect(await sendAs(phone, 'pager')).toEqual(['pager'])
})
