import fc from 'fast-check'
import { expect, test } from 'vitest'
import { history } from '../../../test/support/arbitraries.ts'
import { aNote, aTurn } from '../../../test/support/builders.ts'
import { allTables, dump, emptyDatabase } from '../../../test/support/in-process-log.ts'
import { manifest } from '../../contract/manifest.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { projectors } from '../../daemon/schema.ts'
import { openItems } from '../../features/inbox/store.ts'
import { storageError } from '../store/failure.ts'
import type { Projector } from './projector.ts'
import { readAll, readCursor, topicBounds } from './store.ts'
import { LogWriter, type Outcome, type WriteJob } from './writer.ts'

const appending = (...records: AnyNewRecord[]): WriteJob => ({ kind: 'append', records, cursors: [] })
const seqs = (outcome: Outcome | undefined): number[] =>
  outcome?.ok ? outcome.result.appended.map(({ seq }) => seq) : []

/** Refuses one record by its id. */
const refusing = (id: string): Projector => ({
  name: 'refusing',
  clear: () => undefined,
  apply: (db, record) => {
    db.exec(`INSERT INTO cursor VALUES ('projected ${record.id}', 'turns', 1)`)
    if (record.id === id) throw new Error(`no ${id}`)
  },
})

test('many jobs, one commit', () => {
  const writer = new LogWriter(emptyDatabase(), [])
  const jobs = Array.from({ length: 100 }, (_, n) => appending(aTurn(`t${n}`)))
  const outcomes = writer.write(jobs)
  expect(writer.commits).toBe(1)
  expect(outcomes.flatMap(seqs)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
})

test('one bad job does not take the others down', () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, [refusing('bad')])
  const outcomes = writer.write([appending(aTurn('a')), appending(aTurn('b'), aTurn('bad')), appending(aTurn('c'))])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
  expect([...readAll(db)].map(({ record }) => record?.id)).toEqual(['a', 'c'])
})

test('records, projection and cursor are one transaction: a projector that throws leaves nothing', () => {
  const db = emptyDatabase()
  const before = dump(db, ['record', 'topic', 'cursor'])
  const writer = new LogWriter(db, [refusing('b')])
  const cursors = [{ reader: 'r', topic: 'turns', position: 7 }]
  expect(writer.write([{ kind: 'append', records: [aTurn('a'), aTurn('b')], cursors }])).toMatchObject([{ ok: false }])
  expect(dump(db, ['record', 'topic', 'cursor'])).toBe(before)
  expect(writer.write([{ kind: 'append', records: [aTurn('a')], cursors }])).toMatchObject([{ ok: true }])
  expect(readCursor(db, 'r', 'turns')).toBe(7)
})

test('the same id in one batch, in one job or later is one record, projected once', () => {
  const db = emptyDatabase()
  const applied: string[] = []
  const spy: Projector = { name: 'spy', clear: () => undefined, apply: (_, record) => void applied.push(record.id) }
  const writer = new LogWriter(db, [spy])
  const outcomes = writer.write([appending(aTurn('a'), aTurn('a')), appending(aTurn('a'))])
  expect(outcomes.flatMap(seqs)).toEqual([1, 1, 1])
  writer.write([appending(aTurn('a'), aTurn('b'))])
  expect(applied).toEqual(['a', 'b'])
})

test('any history: a rebuild gives the very same tables, byte for byte', () => {
  fc.assert(
    fc.property(history, (records) => {
      const db = emptyDatabase()
      const writer = new LogWriter(db, projectors)
      writer.write(records.map((record) => appending(record)))
      const before = dump(db, allTables(db))
      const count = new Set(records.map(({ id }) => id)).size
      expect(writer.write([{ kind: 'rebuild' }])).toEqual([{ ok: true, result: { appended: [], count, skipped: [] } }])
      expect(dump(db, allTables(db))).toBe(before)
    }),
    { numRuns: 60 },
  )
})

test('any history: one batch and one by one come to the same', () => {
  fc.assert(
    fc.property(history, (records) => {
      const [batched, single] = [emptyDatabase(), emptyDatabase()]
      new LogWriter(batched, projectors).write([appending(...records)])
      const writer = new LogWriter(single, projectors)
      for (const record of records) writer.write([appending(record)])
      expect(dump(single, allTables(single))).toBe(dump(batched, allTables(batched)))
    }),
    { numRuns: 30 },
  )
})

test('a rebuild that fails keeps the tables as they were', () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, projectors)
  fc.assert(
    fc.property(history, (records) => void writer.write([appending(...records)])),
    { numRuns: 3 },
  )
  writer.write([appending(aTurn('from the future'))])
  db.exec("UPDATE record SET v = 99 WHERE id = 'from the future'")
  const before = dump(db, ['directive', 'agent'])
  expect(writer.write([{ kind: 'rebuild' }])).toMatchObject([{ ok: false, cause: { code: 'record_too_new' } }])
  expect(dump(db, ['directive', 'agent'])).toBe(before)
})

test('a full disk refuses by name, keeps what was accepted, and works again when there is room', () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, projectors)
  writer.write([appending(aTurn('before'))])
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count)
  db.exec(`PRAGMA max_page_count = ${pages}`)
  const large = { ...aTurn('large'), body: { conversation: 'c', turn: 't', prompt: 'x'.repeat(100_000), entry: 'e' } }
  const [refused] = writer.write([appending(large as AnyNewRecord)])
  expect(refused?.ok === false && storageError(refused.cause).code).toBe('storage_full')
  expect([...readAll(db)].map(({ record }) => record?.id)).toEqual(['before'])
  db.exec('PRAGMA max_page_count = 100000')
  expect(writer.write([appending(large as AnyNewRecord)])).toMatchObject([{ ok: true }])
  expect(topicBounds(db, 'turns').last).toBe(2)
})

test('pruning tells how many records it dropped', () => {
  const writer = new LogWriter(emptyDatabase(), [])
  writer.write([appending(aNote('a', 1), aNote('b', 2), aNote('c', 3))])
  expect(writer.write([{ kind: 'prune', topic: 'notes', before: 3, after: 0 }])).toMatchObject([
    { ok: true, result: { count: 2, next: null } },
  ])
})

test('any history, pruned at any time: a rebuild still gives the very same tables, and what is open is all there', () => {
  fc.assert(
    fc.property(history, fc.double({ min: 0, max: 1.1, noNaN: true }), (records, share) => {
      const db = emptyDatabase()
      const writer = new LogWriter(db, projectors)
      writer.write(records.map((record) => appending(record)))
      const open = dump(db, ['agent']) + JSON.stringify(openItems(db))
      const times = records.map(({ at }) => at).toSorted((a, b) => a - b)
      const before = (times[Math.floor(share * times.length)] ?? Number.MAX_SAFE_INTEGER - 1) + 1
      const topics = new Set(Object.values(manifest).map(({ topic }) => topic))
      for (const topic of topics) writer.write([{ kind: 'prune', topic, before, after: 0 }])
      expect(dump(db, ['agent']) + JSON.stringify(openItems(db))).toBe(open)
      const tables = allTables(db).filter((name) => name !== 'advice')
      const pruned = dump(db, tables)
      writer.write([{ kind: 'rebuild' }])
      expect(dump(db, tables)).toBe(pruned)
    }),
    { numRuns: 100 },
  )
})

test('one record of which nothing can be made is left out of a rebuild, and named', () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, projectors)
  writer.write([appending(aTurn('a'), aTurn('b'), aTurn('c'))])
  db.exec(`UPDATE record SET body = '{"turn"' WHERE id = 'b'`)
  expect(writer.write([{ kind: 'rebuild' }])).toMatchObject([{ ok: true, result: { count: 2, skipped: [2] } }])
})
