import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aRecord, aTurn, now } from '../../../test/support/builders.ts'
import { emptyDatabase } from '../../../test/support/in-process-log.ts'
import { pruneAll } from '../../../test/support/prune.ts'
import type { ReinError } from '../../contract/errors.ts'
import type { Database } from '../store/sqlite.ts'
import { append, moveCursor, readAfter, readAll, readCursor, readNewest, topicBounds } from './store.ts'

const write = (db: Database, ...ids: string[]): number[] => ids.map((id) => append(db, aTurn(id)).seq)
const idsAfter = (db: Database, after: number, limit = 100): string[] =>
  readAfter(db, { topic: 'turns', after, limit }).map(({ id }) => id)
const refusal = (code: string) => expect.objectContaining({ code })
const answerOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (cause) {
    return (cause as ReinError).code
  }
}
const other = () => aRecord('agent.stop_blocked', { count: 1 })

test('records come back in the order of their sequence numbers, each as it was written', () => {
  const db = emptyDatabase()
  const record = aTurn('a')
  const { seq, isNew } = append(db, record)
  expect(isNew).toBe(true)
  expect(readAfter(db, { topic: 'turns', after: 0, limit: 9 })).toEqual([{ ...record, seq }])
})

test('a known id is not written again and answers with its old place', () => {
  const db = emptyDatabase()
  const [first, second] = write(db, 'a', 'b')
  expect(append(db, { ...aTurn('a'), at: 5 })).toEqual({ seq: first, isNew: false })
  expect(topicBounds(db, 'turns')).toEqual({ floor: 0, last: second })
})

test('paging from any position gives every record after it, once and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (numbers, limit) => {
      const db = emptyDatabase()
      for (const n of numbers) append(db, n % 3 === 0 ? other() : aTurn(`t${n}`))
      const expected = [...new Set(numbers.filter((n) => n % 3 !== 0).map((n) => `t${n}`))]
      const read: string[] = []
      for (let after = 0; ; ) {
        const page = readAfter(db, { topic: 'turns', after, limit })
        if (page.length === 0) break
        read.push(...page.map(({ id }) => id))
        after = page.at(-1)?.seq ?? 0
      }
      expect(read).toEqual(expected)
      expect([...readAll(db, limit)].flatMap(({ record }) => (record?.topic === 'turns' ? [record.id] : []))).toEqual(
        expected,
      )
    }),
    { numRuns: 50 },
  )
})

test('a position that never was is refused by name', () => {
  const db = emptyDatabase()
  expect(idsAfter(db, 0)).toEqual([])
  expect(() => idsAfter(db, 1)).toThrow(refusal('cursor_ahead'))
  const [seq = 0] = write(db, 'a')
  append(db, other())
  expect(idsAfter(db, seq)).toEqual([])
  expect(() => idsAfter(db, seq + 1)).toThrow(refusal('cursor_ahead'))
})

test('retention drops the beginning of one topic, up to the first record that is young', () => {
  const db = emptyDatabase()
  for (const [id, at] of Object.entries({ a: 10, b: 20, c: 30, d: 15 })) append(db, aTurn(id, at))
  append(db, other())
  expect(pruneAll(db, 'turns', 25)).toBe(2)
  const { floor, last } = topicBounds(db, 'turns')
  expect(idsAfter(db, floor)).toEqual(['c', 'd'])
  expect(() => idsAfter(db, floor - 1)).toThrow(refusal('cursor_expired'))
  expect(pruneAll(db, 'turns', 1000)).toBe(2)
  expect(topicBounds(db, 'turns')).toEqual({ floor: last, last })
  expect(pruneAll(db, 'turns', 2000)).toBe(0)
  expect(topicBounds(db, 'agents').floor).toBe(0)
})

test('a reader who has read all that was dropped goes on without a refusal, whatever other topics wrote between', () => {
  const db = emptyDatabase()
  const { seq } = append(db, aTurn('old', 10))
  append(db, other())
  append(db, aTurn('young', 30))
  pruneAll(db, 'turns', 20)
  expect(idsAfter(db, seq)).toEqual(['young'])
})

test('after a retention every reader either gets all that is after its position, or is told', () => {
  const times = fc.array(fc.record({ at: fc.nat({ max: 9 }), isOther: fc.boolean() }), { maxLength: 15 })
  fc.assert(
    fc.property(times, fc.nat({ max: 10 }), (records, before) => {
      const db = emptyDatabase()
      const written = records.map(({ at, isOther }, n) => append(db, isOther ? other() : aTurn(`t${n}`, at)).seq)
      const all = idsAfter(db, 0).map((id) => ({ id, seq: written[Number(id.slice(1))] ?? 0 }))
      pruneAll(db, 'turns', before)
      const kept = new Set([...readAll(db)].map(({ record }) => record?.id))
      for (const position of [0, ...all.map(({ seq }) => seq)]) {
        const wanted = all.filter(({ seq }) => seq > position).map(({ id }) => id)
        const isWhole = wanted.every((id) => kept.has(id))
        expect(answerOf(() => idsAfter(db, position))).toEqual(isWhole ? wanted : 'cursor_expired')
      }
    }),
    { numRuns: 60 },
  )
})

test('sequence numbers are not used twice, even if the newest record is gone', () => {
  const db = emptyDatabase()
  const [, last = 0] = write(db, 'a', 'b')
  pruneAll(db, 'turns', now + 1)
  expect(write(db, 'c')[0]).toBeGreaterThan(last)
})

test('cursors only move forward, each reader and topic its own', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100 }), { minLength: 1 }), (positions) => {
      const db = emptyDatabase()
      for (const [index, position] of positions.entries()) {
        moveCursor(db, 'reader', 'turns', position)
        expect(readCursor(db, 'reader', 'turns')).toBe(Math.max(...positions.slice(0, index + 1)))
      }
      expect(readCursor(db, 'other', 'turns')).toBe(0)
      expect(readCursor(db, 'reader', 'agents')).toBe(0)
    }),
    { numRuns: 30 },
  )
})

test('the newest records of one agent, oldest first', () => {
  const db = emptyDatabase()
  for (const id of ['a', 'b', 'c']) append(db, aTurn(id))
  append(db, { ...aTurn('x'), agent: 'agt_9' })
  expect(readNewest(db, 'turns', 'agt_1', 2).map(({ id }) => id)).toEqual(['b', 'c'])
})

test.each([
  ['a version that is not known yet', 'UPDATE record SET v = 99'],
  ['a type that is not known yet', "UPDATE record SET type = 'turn.dreamt'"],
  ['a type that only looks known', "UPDATE record SET type = 'constructor'"],
])('%s is refused by name, with the number of the record', (_, change) => {
  const db = emptyDatabase()
  const [seq] = write(db, 'a')
  db.exec(change)
  expect(() => idsAfter(db, 0)).toThrow(refusal('record_too_new'))
  expect(() => [...readAll(db)]).toThrow(`Record ${seq} `)
})
