import { expect, test } from 'vitest'
import { agentRef, now, owner, person } from '../../../test/support/builders.ts'
import type { Outgoing } from '../../contract/channel.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { evolveOutgoing, isOutgoingRecord, type OutboxItem, outgoingId } from './channel.ts'
import { Outbox } from './outbox.ts'

const message = (id: string, channel = 'phone'): Outgoing => ({
  id,
  channel,
  text: id,
  from: agentRef,
  at: now,
  replyTo: null,
})

const start = () => {
  const records: AnyNewRecord[] = []
  const dead: string[] = []
  const clock = { now }
  let ids = 0
  const items = (): Map<string, OutboxItem> => {
    const known = new Map<string, OutboxItem>()
    for (const [seq, one] of records.entries()) {
      const placed = { ...one, seq: seq + 1 }
      if (!isOutgoingRecord(placed)) continue
      const item = evolveOutgoing(known.get(outgoingId(placed)), placed)
      if (item !== undefined) known.set(item.outgoing.id, item)
    }
    return known
  }
  const create = (): Outbox =>
    new Outbox(
      {
        append: async (some) => some.map((one) => records.push(one)),
        load: () => [...items().values()].filter(({ state }) => state === 'pending'),
        find: (id) => items().get(id),
        now: () => clock.now,
        elapsed: () => clock.now,
        newId: (prefix) => `${prefix}_${++ids}`,
        onDead: ({ outgoing }) => void dead.push(outgoing.id),
      },
      { maxPending: 3, maxAttempts: 3 },
    )
  const outbox = create()
  const take = (limit = 10, from = outbox, waitMs = 0) =>
    from
      .take('phone', { limit, leaseMs: 1_000, waitMs }, new AbortController().signal)
      .then((all) => all.map(({ id }) => id))
  return { outbox, again: create, take, clock, dead, items }
}

test('each is lent to one, in order, and again when it says nothing', async () => {
  const { outbox, take, clock } = start()
  for (const id of ['a', 'b']) await outbox.add(message(id), owner)
  await outbox.add(message('c', 'other'), owner)
  expect([await take(1), await take(), await take()]).toEqual([['a'], ['b'], []])
  clock.now += 1_000
  expect(await take()).toEqual(['a', 'b'])
})

test('one that nobody who has it survives is given up in the end', async () => {
  const { outbox, take, clock, dead } = start()
  await outbox.add(message('a'), owner)
  for (let time = 0; time < 3; time += 1) {
    expect(await take()).toEqual(['a'])
    clock.now += 1_000
  }
  expect([await take(), dead]).toEqual([[], ['a']])
})

test('a silence counts once, however many take', async () => {
  const { outbox, take, clock, items } = start()
  for (const id of ['a', 'b', 'c']) await outbox.add(message(id), owner)
  await take()
  clock.now += 1_000
  await Promise.all([take(), take()])
  expect(['a', 'b', 'c'].map((id) => items().get(id)?.attempts)).toEqual([1, 1, 1])
})

test('who waits gets what failed and is tried again at once', async () => {
  const { outbox, take } = start()
  await outbox.add(message('a'), owner)
  await take()
  const waiting = take(10, outbox, 60_000)
  await outbox.settle({ id: 'a', error: 'again', retryInMs: 0 }, person)
  expect(await waiting).toEqual(['a'])
})

test('one who left while waiting is lent nothing', async () => {
  const { outbox, take } = start()
  await outbox.add(message('a'), owner)
  expect(await outbox.take('phone', { limit: 1, leaseMs: 1_000, waitMs: 9_000 }, AbortSignal.abort())).toEqual([])
  expect(await take()).toEqual(['a'])
})

test('what was delivered never comes again; two who had it may both say so', async () => {
  const { outbox, take, again, clock } = start()
  await outbox.add(message('a'), owner)
  await take()
  expect(await outbox.settle({ id: 'a' }, person)).toMatchObject({ state: 'delivered' })
  expect(await outbox.settle({ id: 'a', error: 'too late' }, person)).toMatchObject({ state: 'delivered' })
  clock.now += 10_000
  expect([await take(), await take(10, again())]).toEqual([[], []])
})

test('a daemon that ended with something lent is followed by one that lends it when the lease has ended', async () => {
  const { outbox, take, again, clock } = start()
  await outbox.add(message('a'), owner)
  await take()
  const next = again()
  expect(await take(10, next)).toEqual([])
  await next.settle({ id: 'a', error: 'still failed', retryInMs: 0 }, person)
  expect(await take(10, next)).toEqual(['a'])
  clock.now += 1_000
  expect(await take(10, again())).toEqual(['a'])
})

test('while somebody says what became of it, nobody else gets it, and the first word counts', async () => {
  const { outbox, take, clock } = start()
  await outbox.add(message('a'), owner)
  await take()
  const words = [outbox.settle({ id: 'a' }, person), outbox.settle({ id: 'a', error: 'late' }, person)]
  clock.now += 5_000
  expect(await take()).toEqual([])
  expect((await Promise.all(words)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(await take()).toEqual([])
})

test('a failure is tried again later each time, then given up, listed, and tried anew when somebody says so', async () => {
  const { outbox, take, clock, dead, items } = start()
  await outbox.add(message('a'), owner)
  const waits: number[] = []
  for (let attempt = 1; attempt < 3; attempt += 1) {
    await take()
    const { until } = await outbox.settle({ id: 'a', error: 'no network' }, person)
    waits.push(until - clock.now)
    expect(await take()).toEqual([])
    clock.now = until
  }
  await take()
  await outbox.settle({ id: 'a', error: 'no network' }, person)
  expect([waits, dead, items().get('a')?.state]).toEqual([[1_000, 2_000], ['a'], 'dead'])
  await outbox.retry('a', person)
  expect(await take()).toEqual(['a'])
  await expect(outbox.retry('a', person)).rejects.toMatchObject({ code: 'not_found' })
})

test('what can never arrive is given up at once', async () => {
  const { outbox, take, dead } = start()
  await outbox.add(message('a'), owner)
  await take()
  await outbox.settle({ id: 'a', error: 'no such chat', retryInMs: null }, person)
  expect(dead).toEqual(['a'])
})

test('who waits gets what comes', async () => {
  const { outbox, take } = start()
  const waiting = take(10, outbox, 60_000)
  await outbox.add(message('a'), owner)
  expect(await waiting).toEqual(['a'])
})

test('more than may wait is refused', async () => {
  const { outbox } = start()
  for (const id of ['a', 'b', 'c']) await outbox.add(message(id), owner)
  await expect(outbox.add(message('d'), owner)).rejects.toMatchObject({ code: 'inbox_full' })
})
