import { closeSync, constants, openSync, readSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { agentRef, now, owner, person, tempDir } from '../../../test/support/builders.ts'
import { mkfifo } from '../../../test/support/fifo-harness.ts'
import { Channel, type Message, type Outgoing } from '../../contract/channel.ts'
import type { Channels } from './channels.ts'
import { FifoOutputs } from './fifo/outputs.ts'
import type { Outbox } from './outbox.ts'
import { Sender } from './sender.ts'

const code = (wanted: string, about = '') =>
  expect.objectContaining({ code: wanted, hint: expect.stringContaining(about) as string })

const question: Message = {
  id: 'msg_1',
  channel: 'pager',
  text: 'How is it?',
  sender: 'ada',
  via: 'socket',
  at: now,
  claimedAt: null,
  meta: { chat: 7 },
}

/** `pager` is kept, `phone` too and a person's, `plain` is not; there may be FIFOs besides. */
const start = (names = ['pager', 'phone', 'plain']) => {
  const dir = tempDir()
  const channels = names.map((name) =>
    Channel.parse({ name, isKept: name !== 'plain', isHuman: name === 'phone', senders: ['ada'] }),
  )
  const [kept, noted, sent]: [Outgoing[], Outgoing[], string[]] = [[], [], []]
  const outputs = new FifoOutputs(dir)
  onTestFinished(() => outputs.close())
  let ids = 0
  const sender = new Sender({
    channels: { all: channels, get: (name: string) => channels.find((one) => one.name === name) } as Channels,
    outbox: {
      add: async (outgoing: Outgoing) => void kept.push(outgoing),
      note: async (outgoing: Outgoing) => void noted.push(outgoing),
      knows: (id: string) => noted.some((one) => one.id === id),
    } as unknown as Outbox,
    outputs,
    find: (id) => (id === question.id ? question : undefined),
    agent: (id) => (id === agentRef.id ? agentRef : null),
    now: () => now,
    newId: (prefix) => `${prefix}_${++ids}`,
    onSent: ({ id }, how) => void sent.push(`${id} ${how}`),
  })
  /** Somebody who reads the FIFO of a channel; resolves to what is there. */
  const reader = (channel: string): (() => string) => {
    const [path = ''] = mkfifo(dir, `out.${channel}`)
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    onTestFinished(() => closeSync(fd))
    const buffer = Buffer.alloc(4096)
    return () => buffer.toString('utf8', 0, readSync(fd, buffer))
  }
  return { dir, sender, kept, noted, sent, reader }
}

test('what an agent sends is kept, with its name and what it answers', async () => {
  const { sender, kept, sent } = start()
  expect(await sender.send(owner, { channel: 'pager', text: 'Well.', replyTo: 'msg_1' })).toEqual({
    id: 'out_1',
    channel: 'pager',
    state: 'kept',
  })
  await sender.send(person, { channel: 'pager', text: 'Hello' })
  expect(kept).toEqual([
    {
      id: 'out_1',
      channel: 'pager',
      text: 'Well.',
      from: agentRef,
      at: now,
      replyTo: { id: 'msg_1', sender: 'ada', meta: { chat: 7 } },
    },
    { id: 'out_2', channel: 'pager', text: 'Hello', from: null, at: now, replyTo: null },
  ])
  expect(sent).toEqual(['out_1 kept', 'out_2 kept'])
})

test('what is kept is kept, whether there is a FIFO or not', async () => {
  const { sender, kept, noted, reader } = start()
  reader('pager')
  expect(await sender.send(owner, { channel: 'pager', text: 'x' })).toMatchObject({ state: 'kept' })
  expect([kept.length, noted]).toEqual([1, []])
})

test('else it goes to a FIFO, and that is noted', async () => {
  const { sender, kept, noted, sent, reader } = start()
  const read = reader('desk')
  expect(await sender.send(owner, { channel: 'desk', text: 'two\nlines' })).toMatchObject({ state: 'written' })
  expect([read(), kept, sent]).toEqual(['{"content":"two\\nlines"}\n', [], ['out_1 written']])
  expect(noted).toMatchObject([{ id: 'out_1', text: 'two\nlines', from: agentRef }])
})

test('under one id it goes there once', async () => {
  const { sender, noted, reader } = start()
  const read = reader('desk')
  const again = () => sender.send(person, { channel: 'desk', text: 'once', id: 'out_x' })
  expect([await again(), read()]).toMatchObject([{ id: 'out_x' }, 'once\n'])
  await again()
  await sender.send(person, { channel: 'desk', text: 'more' })
  expect([read(), noted.map(({ id }) => id)]).toEqual(['more\n', ['out_x', 'out_1']])
})

test('a FIFO that nobody reads is an error, and nothing was sent', async () => {
  const { dir, sender, kept, noted, sent } = start()
  mkfifo(dir, 'out.plain')
  await expect(sender.send(owner, { channel: 'plain', text: 'x' })).rejects.toMatchObject({ code: 'not_running' })
  expect([kept, noted, sent]).toEqual([[], [], []])
})

test('to a person an agent speaks under its name, and cannot ask in Rein’s', async () => {
  const { sender, kept } = start()
  const text = 'other asks for permission: Bash\nAnswer: #3fa9c1 allow'
  await sender.send(owner, { channel: 'phone', text })
  await sender.send({ kind: 'daemon' }, { channel: 'phone', text })
  expect(kept.map((one) => one.text)).toEqual(['worker: other asks for permission: Bash\nAnswer: # 3fa9c1 allow', text])
})

test('where nothing leaves, it says where something does', async () => {
  const { sender, reader, sent } = start()
  reader('desk')
  expect(sender.ways).toEqual(['desk', 'pager', 'phone'])
  await expect(sender.send(owner, { channel: 'plain', text: 'x' })).rejects.toEqual(
    code('unknown_channel', 'You can send to: desk, pager, phone.'),
  )
  await expect(sender.send(owner, { channel: 'nosuch', text: 'x' })).rejects.toEqual(code('unknown_channel'))
  const { sender: alone } = start(['plain'])
  await expect(alone.send(owner, { channel: 'plain', text: 'x' })).rejects.toEqual(
    code('unknown_channel', 'There is none to send to now.'),
  )
  expect(sent).toEqual([])
})

test('an answer goes where the question came from, and nowhere else', async () => {
  const { sender, reader, kept } = start()
  reader('desk')
  const answer = (channel: string, replyTo: string) => sender.send(owner, { channel, text: 'x', replyTo })
  await expect(answer('desk', 'msg_1')).rejects.toEqual(code('not_found', 'Leave reply_to out.'))
  await expect(answer('pager', 'msg_2')).rejects.toEqual(code('not_found'))
  expect(kept).toEqual([])
})

test.each(['../pager', 'Pager', '', 'x'.repeat(33), 'pager\n'])('%j is no channel', async (channel) => {
  await expect(start().sender.send(owner, { channel, text: 'x' })).rejects.toEqual(code('usage'))
})
