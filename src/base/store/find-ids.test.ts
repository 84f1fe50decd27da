import { expect, test } from 'vitest'
import { findIds, tailIndex } from './find-ids.ts'
import { type Database, openDatabase } from './sqlite.ts'

const first = 'dir_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b'
const second = 'dir_01a1e8c4-502e-7521-bd1a-cbe100000001'
const message = 'msg_01a1e8c4-502f-7521-bd1a-cbe1c21d0a7b'

const tableOf = (...ids: string[]): Database => {
  const db = openDatabase(':memory:')
  db.exec(`CREATE TABLE thing (id TEXT PRIMARY KEY) STRICT; ${tailIndex('thing')}`)
  for (const id of ids) db.prepare('INSERT INTO thing (id) VALUES (?)').run(id)
  return db
}

test('an id is found by its beginning and by its short form', () => {
  const db = tableOf(first, second, message)
  const find = (given: string): string[] => findIds(db, 'thing', given)
  expect(find(first)).toEqual([first])
  expect(find('dir_01a1e8c4')).toEqual([first, second])
  expect(find('dir_01a1e8c4-502e')).toEqual([second])
  expect(find('dir_c21d0a7b')).toEqual([first])
  expect(find('dir_c21d')).toEqual([first])
  expect(find('c21d0a7b')).toEqual([first, message])
  expect(find('dir_')).toEqual([])
  expect(find("dir_%' OR 1=1")).toEqual([])
  db.close()
})

test('no row is looked at that does not match', () => {
  const db = tableOf(first)
  let asked = ''
  const prepare = (sql: string) => {
    asked = sql
    return db.prepare(sql)
  }
  findIds({ ...db, prepare }, 'thing', 'dir_c21d')
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${asked}`)
    .all('dir_c21d', 'dir_c21d~', 'c21d', 'c21d~', 4, 'dir_')
    .map((row) => String(row['detail']))
  expect(plan.filter((line) => line.startsWith('SCAN'))).toEqual([])
  expect(plan.join()).toMatch(/thing_tail/)
  db.close()
})

test('as many are found as an error lists', () => {
  const db = tableOf(...Array.from({ length: 50 }, (_, n) => `${first.slice(0, -2)}${n + 10}`))
  expect(findIds(db, 'thing', 'dir_01a1')).toHaveLength(6)
  db.close()
})
