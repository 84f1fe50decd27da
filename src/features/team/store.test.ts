import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { history } from '../../../test/support/arbitraries.ts'
import { aRecord, person } from '../../../test/support/builders.ts'
import { dump, emptyDatabase } from '../../../test/support/in-process-log.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { LogWriter } from '../../base/log/writer.ts'
import { countDecisions, findDecision, teamProjector } from './store.ts'

const tables = ['watch', 'control', 'decision', 'checkpoint', 'checkin', 'voice']

const write = (records: readonly AnyNewRecord[]) => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, [teamProjector])
  writer.write(records.map((record) => ({ kind: 'append', records: [record], cursors: [] })))
  return { db, writer }
}

test('any history: a rebuild gives the very same tables', () => {
  fc.assert(
    fc.property(history, (records) => {
      const { db, writer } = write(records)
      const before = dump(db, tables)
      expect(writer.write([{ kind: 'rebuild' }])).toMatchObject([{ ok: true }])
      expect(dump(db, tables)).toBe(before)
    }),
    { numRuns: 60 },
  )
})

test('a decision that is written twice has one number', () => {
  const decided = (id: string) =>
    aRecord('decision.logged', { decision: { id, project: 'p', text: id, by: person, at: 1 } })
  const { db } = write(['a', 'b', 'a', 'c'].map(decided))
  expect(['a', 'b', 'c'].map((id) => findDecision(db, id)?.n)).toEqual([1, 2, 3])
  expect([countDecisions(db, 'p'), countDecisions(db, 'q')]).toEqual([3, 0])
})
