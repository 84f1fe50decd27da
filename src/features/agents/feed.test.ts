import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aRecord, now } from '../../../test/support/builders.ts'
import { readRange } from '../../base/log/store.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { FeedLine } from '../../contract/routes/feed.ts'
import { follow, mostBehind, page } from './feed.ts'
import type { AgentParts } from './parts.ts'

const topics = ['agents', 'turns']
const wanted = { topics, agent: 'agt_1', room: null }
const never = new AbortController().signal

/** Records of two topics by turns, of this agent and of another one. */
const someRecords = (from: number, count: number): AnyNewRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const n = from + index
    const agent = n % 5 === 4 ? 'agt_2' : 'agt_1'
    const given = { id: `r${n}`, at: now + n, agent }
    const ids = { conversation: 'c', turn: `t${n}` }
    return n % 3 === 0
      ? aRecord('agent.stop_blocked', { count: n }, given)
      : aRecord('turn.started', { ...ids, prompt: `${n}`, entry: 'e' }, given)
  })

const ofAgent = (records: readonly AnyNewRecord[]): string[] =>
  records.filter(({ agent }) => agent === 'agt_1').map(({ id }) => id)

/** Reads lines until it has a record with this id, or so many of them. */
const take = async (feed: AsyncGenerator<FeedLine>, isLast: (ids: string[]) => boolean) => {
  const lines: FeedLine[] = []
  const ids: string[] = []
  for await (const line of feed) {
    lines.push(line)
    if ('record' in line) ids.push(line.record.id)
    if (isLast(ids)) break
  }
  return {
    lines,
    ids,
    first: lines[0],
    seq: lines.flatMap((line) => ('record' in line ? [line.record.seq] : [])).at(-1),
  }
}

describe('a feed', () => {
  test('without a position begins with the newest, and says where', async () => {
    const { log } = startLog()
    const records = someRecords(0, 20)
    await log.append(records)
    const { ids, first } = await take(follow(log, wanted, { lines: 5 }, never), (some) => some.length === 5)
    expect(ids).toEqual(ofAgent(records).slice(-5))
    expect(first).toEqual({
      at: 'begin',
      position: (log.readRange({ ...wanted, after: 0, before: 99 }, 99, 'first').at(-5)?.seq ?? 0) - 1,
    })
  })

  test('of nothing begins with the next record', async () => {
    const { log } = startLog()
    const reading = take(follow(log, wanted, { lines: 5 }, never), (some) => some.length === 1)
    await log.append(someRecords(0, 1))
    expect(await reading).toMatchObject({ first: { at: 'begin', position: 0 }, ids: ['r0'] })
  })

  test('misses nothing and says nothing twice, however often its reader goes and comes while others write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ appended: fc.integer({ min: 0, max: 150 }), read: fc.integer({ min: 1, max: 90 }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (rounds) => {
          const { log } = startLog()
          const written: AnyNewRecord[] = []
          const appending: Promise<unknown>[] = []
          const append = (count: number): void => {
            const records = someRecords(written.length, count)
            written.push(...records)
            // Each on its own: a reader may look between any two of them.
            for (const record of records) appending.push(log.append([record]))
          }
          const seen: string[] = []
          let after = 0
          for (const { appended, read } of rounds) {
            append(appended)
            const most = ofAgent(written).length - seen.length
            if (most === 0) continue
            const feed = follow(log, wanted, { after, lines: 5 }, never)
            const { ids, first, seq } = await take(feed, (some) => some.length === Math.min(read, most))
            expect(first).toEqual({ at: 'resumed', position: after })
            seen.push(...ids)
            after = seq ?? after
          }
          append(1)
          append(1)
          const all = ofAgent(written)
          const rest = await take(follow(log, wanted, { after, lines: 5 }, never), (some) => some.at(-1) === all.at(-1))
          await Promise.all(appending)
          expect([...seen, ...rest.ids]).toEqual(all)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('skips nothing that is committed between its reads of two topics', async () => {
    const { log, db, writer } = startLog()
    const written: AnyNewRecord[] = []
    const commit = (count: number): void => {
      const records = someRecords(written.length, count)
      written.push(...records)
      writer.write([{ kind: 'append', records, cursors: [] }])
    }
    // Another thread commits at any time: here before each single read, of one topic and of the other.
    const busy = {
      prepare: (sql: string) => ({
        all: (...values: never[]) => {
          if (written.length < 200) commit(3)
          return db.prepare(sql).all(...values)
        },
      }),
    } as unknown as Database
    const records = {
      bounds: (topic: string) => log.bounds(topic),
      // A commit by another connection is news only to those who look.
      changes: async function* () {
        for (;;) {
          yield
          await new Promise(setImmediate)
        }
      },
      get last() {
        return log.last
      },
      countRange: (...range: Parameters<typeof log.countRange>) => log.countRange(...range),
      readRange: (...[range, limit, end]: Parameters<typeof log.readRange>) => readRange(busy, range, limit, end),
    }
    commit(50)
    const feed = follow(records, wanted, { after: 0, lines: 5 }, never)
    const isAll = (ids: string[]): boolean => written.length >= 200 && ids.at(-1) === ofAgent(written).at(-1)
    expect((await take(feed, isAll)).ids).toEqual(ofAgent(written))
  })

  test('whose records were pruned says so, and begins with the newest', async () => {
    const { log, db } = startLog()
    const records = someRecords(0, 300)
    const seqs = await log.append(records)
    const prune = (upTo: number): void => {
      db.prepare("DELETE FROM record WHERE topic = 'turns' AND seq <= ?").run(upTo)
      db.prepare("UPDATE topic SET floor = ? WHERE name = 'turns'").run(upTo)
    }
    const [position = 0, floor = 0] = [seqs[9], seqs[99]]
    prune(floor)
    const gone = await take(follow(log, wanted, { after: position, lines: 3 }, never), (some) => some.length === 3)
    expect([gone.first, gone.ids]).toEqual([{ at: 'gap', position: expect.any(Number) }, ofAgent(records).slice(-3)])
    const there = await take(follow(log, wanted, { after: floor, lines: 3 }, never), (some) => some.length === 2)
    expect([there.first, there.ids]).toEqual([
      { at: 'resumed', position: floor },
      ofAgent(records.slice(100)).slice(0, 2),
    ])
    // What it knows does not come again.
    const few = await take(
      follow(log, wanted, { after: position, lines: 999 }, never),
      (some) => some.at(-1) === ofAgent(records).at(-1),
    )
    expect(few.lines.flatMap((line) => ('record' in line && line.record.seq <= position ? [line] : []))).toEqual([])
    // A reader that is slow may be overtaken, too.
    const slow = follow(log, wanted, { after: floor, lines: 3 }, never)
    await take(
      { [Symbol.asyncIterator]: () => ({ next: () => slow.next() }) } as AsyncGenerator<FeedLine>,
      (some) => some.length === 1,
    )
    prune(seqs[250] ?? 0)
    const rest = await take(slow, (some) => some.at(-1) === ofAgent(records).at(-1))
    expect(rest.lines.filter((line) => 'at' in line)).toEqual([{ at: 'gap', position: expect.any(Number) }])
    expect(rest.ids.slice(-3)).toEqual(ofAgent(records).slice(-3))
  })

  test('of a reader that is too far behind says so, and reads no more than the newest', async () => {
    const { log } = startLog()
    // Of another agent as many more: they do not count.
    const records = someRecords(0, Math.ceil((mostBehind * 5) / 4) + 5)
    const [position = 0] = await log.append(records)
    let isRead = 0
    const counting = {
      last: log.last,
      bounds: (topic: string) => log.bounds(topic),
      changes: (...asked: Parameters<typeof log.changes>) => log.changes(...asked),
      countRange: (...range: Parameters<typeof log.countRange>) => log.countRange(...range),
      readRange: (...range: Parameters<typeof log.readRange>) => {
        const read = log.readRange(...range)
        isRead += read.length
        return read
      },
    }
    const all = ofAgent(records)
    expect(all.length - 1).toBeGreaterThan(mostBehind)
    const from = async (after: number, lines: number) =>
      take(follow(counting, wanted, { after, lines }, never), (some) => some.at(-1) === all.at(-1))
    const behind = await from(position, 3)
    expect([behind.first, behind.ids]).toEqual([{ at: 'gap', position: expect.any(Number) }, all.slice(-3)])
    expect(isRead).toBeLessThan(500)
    const [edge] = log.readRange({ ...wanted, after: 0, before: log.last + 1 }, mostBehind + 1, 'last')
    const whole = await from(edge?.seq ?? 0, 3)
    expect([whole.first, whole.ids]).toEqual([{ at: 'resumed', position: edge?.seq }, all.slice(-mostBehind)])
  })

  test('with a position of another log begins with the newest', async () => {
    const { log } = startLog()
    const records = someRecords(0, 10)
    await log.append(records)
    const { first, ids } = await take(
      follow(log, wanted, { after: 4711, lines: 2 }, never),
      (some) => some.length === 2,
    )
    expect([first, ids]).toEqual([{ at: 'gap', position: expect.any(Number) }, ofAgent(records).slice(-2)])
  })

  test('is counted once, not again for each page', async () => {
    const { log } = startLog()
    const records = someRecords(0, 1000)
    await log.append(records)
    let counted = 0
    const counting = {
      last: log.last,
      bounds: (topic: string) => log.bounds(topic),
      changes: (...asked: Parameters<typeof log.changes>) => log.changes(...asked),
      readRange: (...range: Parameters<typeof log.readRange>) => log.readRange(...range),
      countRange: (...range: Parameters<typeof log.countRange>) => {
        counted += 1
        return log.countRange(...range)
      },
    }
    const all = ofAgent(records)
    const { ids } = await take(
      follow(counting, wanted, { after: 0, lines: 3 }, never),
      (some) => some.at(-1) === all.at(-1),
    )
    expect([ids, counted]).toEqual([all, 1])
  })

  const post = (id: string, room: string): AnyNewRecord => {
    const author = { kind: 'user' as const, name: 'user' }
    const about = { id, room, author, at: now, text: id, mentions: [], kind: 'message' as const }
    return aRecord('chat.posted', { post: about }, { id, agent: null })
  }
  const ofLobby = { topics: ['chats'], agent: null, room: 'shop/lobby' }

  test('of a quiet room misses nothing, however much is posted in others', async () => {
    const { log } = startLog()
    const loud = Array.from({ length: mostBehind + 10 }, (_, n) => post(`p${n}`, 'shop/other'))
    const [position = 0] = await log.append([post('a', 'shop/lobby'), post('b', 'shop/lobby'), ...loud])
    await log.append([post('c', 'shop/lobby')])
    const feed = follow(log, ofLobby, { after: position, lines: 1 }, never)
    const { first, ids } = await take(feed, (some) => some.at(-1) === 'c')
    expect([first, ids]).toEqual([{ at: 'resumed', position }, ['b', 'c']])
    const { first: busy } = await take(
      follow(log, { ...ofLobby, room: 'shop/other' }, { after: position, lines: 1 }, never),
      (some) => some.length === 1,
    )
    expect(busy).toMatchObject({ at: 'gap' })
  })

  test('of a room has what is posted there', async () => {
    const { log } = startLog()
    const read = aRecord('chat.read', { room: 'shop/lobby', member: 'user', upTo: 1 }, { id: 'read', agent: null })
    await log.append([post('a', 'shop/lobby'), post('b', 'shop/other'), read, post('c', 'shop/lobby')])
    const { ids } = await take(follow(log, ofLobby, { after: 0, lines: 9 }, never), (some) => some.at(-1) === 'c')
    expect(ids).toEqual(['a', 'read', 'c'])
  })
})

test('pages go back to the first record, each once', async () => {
  const { log } = startLog()
  const records = someRecords(0, 400)
  await log.append(records)
  const supervisor = { get: () => ({ id: 'agt_1' }) }
  const parts = { log, supervisor } as unknown as AgentParts
  const found: string[] = []
  for (let before = log.last + 1; ; ) {
    const read = await page(parts, { agent: 'agt_1', topics, before, lines: 70 }, never)
    found.unshift(...read.records.map(({ id }) => id))
    if (read.isFirst) break
    before = read.records[0]?.seq ?? 0
  }
  expect(found).toEqual(ofAgent(records))
  const first = { before: 1, lines: 70 }
  expect(await page(parts, { agent: 'agt_1', topics, ...first }, never)).toEqual({ records: [], isFirst: true })
  for (const [given, message] of [
    [{ topics: ['nothing'] }, 'There is no topic "nothing".'],
    [{ agent: 'a', room: 'p/r', topics: [] }, 'of an agent or of a room'],
    [{ room: 'p/r', topics: ['chats', 'turns'] }, 'A feed of a room has only the topic chats.'],
  ] as const)
    await expect(page(parts, { ...given, topics: [...given.topics], ...first }, never)).rejects.toThrow(message)
})

test('a room of which nothing is found holds nobody up, and is looked for no longer than its reader waits', async () => {
  const { log } = startLog()
  const read = (n: number): AnyNewRecord =>
    aRecord('chat.read', { room: 'shop/other', member: 'user', upTo: n }, { id: `r${n}`, agent: null })
  await log.append(Array.from({ length: 350 }, (_, n) => read(n)))
  let reads = 0
  const counting = {
    readRange: (...range: Parameters<typeof log.readRange>) => {
      reads += 1
      return log.readRange(...range)
    },
  }
  const leaving = new AbortController()
  setImmediate(() => leaving.abort())
  const asked = { room: 'shop/lobby', before: log.last + 1, lines: 5 }
  await page({ log: counting } as unknown as AgentParts, asked, leaving.signal)
  expect(reads).toBe(1)
})
