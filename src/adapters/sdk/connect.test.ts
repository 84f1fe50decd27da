import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeDaemon } from '../../../test/process/fake-daemon.ts'
import type { Daemon } from './adapter.ts'
import { connectDaemon } from './connect.ts'

let fake: FakeDaemon
let daemon: Daemon

beforeEach(async () => {
  fake = new FakeDaemon()
  fake.answers = { receive: { value: {} }, take: { value: [] }, settle: { value: {} } }
  await fake.start()
  daemon = connectDaemon({ REIN_HOME: fake.home }, { start: false })
})

afterEach(() => fake.stop())

/** What adapters in plain JavaScript give beside the fields that are known. */
const stray = { name: 'other', content: 'other', colour: 'red' }

test('no field of a message chooses its channel', async () => {
  const details = { sender: 'ann', claimedAt: 7, meta: { thread: 1 }, key: 'k' }
  await daemon.receive('mine', { text: 'hello', ...details, ...stray })
  const input = { content: 'hello', ts: 7, sender: 'ann', meta: { thread: 1 }, key: 'k' }
  expect(fake.asked).toEqual([{ method: 'POST', path: '/v1/channels/mine', query: {}, input }])
})

test('no option chooses the channel that messages are taken from', async () => {
  const options = { limit: 2, leaseMs: 3_000, waitMs: 0 }
  await daemon.take('mine', { ...options, ...stray })
  expect(fake.asked).toEqual([{ method: 'POST', path: '/v1/channels/mine/take', query: {}, input: options }])
})

test('no field of a result chooses the channel that it is settled on', async () => {
  const result = { id: 'out_1', error: 'full', retryInMs: null }
  await daemon.settle('mine', { ...result, ...stray })
  expect(fake.asked).toEqual([{ method: 'POST', path: '/v1/channels/mine/settle', query: {}, input: result }])
})
