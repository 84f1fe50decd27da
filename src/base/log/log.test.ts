import { expect, test } from 'vitest'
import { aNote, aTurn, now } from '../../../test/support/builders.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Log } from './log.ts'
import type { Projector } from './projector.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const never = new AbortController().signal

/** Reads a tail until it has `count` records. */
const take = async (log: Log, count: number, after = 0): Promise<string[]> => {
  const ids: string[] = []
  if (count === 0) return ids
  for await (const { id } of log.tail('turns', after, never)) if (ids.push(id) === count) break
  return ids
}

const refusing: Projector = {
  name: 'refusing',
  clear: () => undefined,
  apply: (_, { id }) => {
    if (id.startsWith('bad')) throw new Error(`no ${id}`)
  },
}

test('an append is answered when it is durable: another connection can read it', async () => {
  const { log } = startLog()
  const [seq = 0] = await log.append([aTurn('a')])
  expect(log.readAfter('turns', seq - 1).map(({ id }) => id)).toEqual(['a'])
  expect(await log.append([aTurn('a'), aTurn('b')])).toEqual([seq, seq + 1])
})

test('what is asked for at once goes into few commits, and each gets its own answer', async () => {
  const { log } = startLog([refusing])
  const names = Array.from({ length: 300 }, (_, n) => (n === 150 ? 'bad' : `t${n}`))
  const settled = await Promise.allSettled(names.map((name) => log.append([aTurn(name)])))
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(settled[150]).toMatchObject({ reason: { code: 'failed' } })
  expect(log.readAfter('turns', 0).map(({ id }) => id)).toEqual(names.filter((name) => name !== 'bad'))
})

test('three hundred appends at once need few commits', async () => {
  const { log } = startLog()
  await Promise.all(Array.from({ length: 300 }, (_, n) => log.append([aTurn(`t${n}`)])))
  expect(log.commits).toBeLessThan(30)
})

test('a tail is what is there, then what comes: no gap, nothing twice, while others write', async () => {
  const { log } = startLog()
  const total = 1800
  await log.append(Array.from({ length: 700 }, (_, n) => aTurn(`t${n}`)))
  const readers = [0, 1, 699, 700].map((after) => take(log, total - after, after))
  for (let n = 700; n < total; n += 10) {
    const some = Array.from({ length: 10 }, (_, k) => log.append([aTurn(`t${n + k}`), aTurn(`t${n}`)]))
    if (n % 100 === 0) await Promise.all(some)
  }
  const expected = Array.from({ length: total }, (_, n) => `t${n}`)
  expect(await Promise.all(readers)).toEqual([0, 1, 699, 700].map((after) => expected.slice(after)))
})

test('a tail waits for news of its own topic and ends when it is told to', async () => {
  const { log } = startLog()
  const stop = new AbortController()
  const tail = log.tail('turns', 0, stop.signal)
  const next = tail.next()
  await log.append([aTurn('a')])
  expect((await next).value).toMatchObject({ id: 'a' })
  const last = tail.next()
  stop.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('a slow reader misses nothing: it reads at its own pace', async () => {
  const { log } = startLog()
  const tail = log.tail('turns', 0, never)
  await log.append([aTurn('a')])
  const first = await tail.next()
  await log.append([aTurn('b')])
  await log.append([aTurn('c')])
  const rest = [await tail.next(), await tail.next()]
  expect([first, ...rest].map(({ value }) => (value as AnyRecord).id)).toEqual(['a', 'b', 'c'])
  await tail.return(undefined)
})

test('a tail from a position that is gone, or that is not there yet, is refused by name', async () => {
  const { log } = startLog()
  await log.append([aNote('a'), aNote('b')])
  expect(await log.prune('notes', now + 1)).toBe(2)
  await expect(log.tail('notes', 0, never).next()).rejects.toEqual(refusal('cursor_expired'))
  await expect(log.tail('notes', 99, never).next()).rejects.toEqual(refusal('cursor_ahead'))
})

test('cursors are stored with the records', async () => {
  const { log } = startLog()
  await log.append([aTurn('a')], [{ reader: 'r', topic: 'file:x', position: 10 }])
  await log.append([], [{ reader: 'r', topic: 'file:x', position: 5 }])
  expect(log.cursor('r', 'file:x')).toBe(10)
})

test('a rebuild tells how many records it replayed', async () => {
  const { log } = startLog()
  await log.append([aTurn('a'), aTurn('b')])
  expect(await log.rebuild()).toEqual({ records: 2, skipped: [] })
})

test('closing waits for what was asked for before, and refuses what comes after', async () => {
  const { log } = startLog()
  const appended = log.append([aTurn('a')])
  const closed = log.close()
  await expect(log.append([aTurn('b')])).rejects.toEqual(refusal('unavailable'))
  expect(await appended).toEqual([1])
  await closed
})

test('when the writer has ended, nobody waits for ever', async () => {
  const { log, endWriter } = startLog()
  const waiting = log.append([aTurn('a')])
  const ended = endWriter()
  await expect(waiting).rejects.toEqual(refusal('unavailable'))
  await ended
  await expect(log.append([aTurn('b')])).rejects.toEqual(refusal('unavailable'))
  await log.close()
})

test('changes: once now, and once for all that was committed while nobody looked', async () => {
  const { log } = startLog()
  const end = new AbortController()
  const changes = log.changes(['turns', 'agents'], end.signal)
  await changes.next()
  await log.append([aTurn('a')])
  await log.append([aTurn('b')])
  expect(await changes.next()).toMatchObject({ done: false })
  const next = changes.next()
  await log.append([aTurn('c')])
  expect(await next).toMatchObject({ done: false })
  const last = changes.next()
  end.abort()
  expect(await last).toMatchObject({ done: true })
})

test('the newest record of an agent is found by its own index', async () => {
  const { log, db } = startLog()
  expect(log.newestSeq('turns', 'nobody')).toBe(0)
  const [seq] = await log.append([{ ...aTurn('a'), agent: 'agt_1' }])
  await log.append([{ ...aTurn('b'), agent: 'agt_2' }])
  expect(log.newestSeq('turns', 'agt_1')).toBe(seq)
  const plan = db.prepare(
    "EXPLAIN QUERY PLAN SELECT * FROM record WHERE topic = 'turns' AND agent = 'a' ORDER BY seq DESC",
  )
  expect(plan.all().map(({ detail }) => detail)).toEqual([expect.stringContaining('record_agent')])
})
