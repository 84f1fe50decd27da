import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrations } from '../../daemon/schema.ts'
import { type Migration, migrate } from './migrate.ts'
import { openDatabase } from './sqlite.ts'

const first: Migration = { number: 1, name: 'one', sql: 'CREATE TABLE one (n INTEGER)' }
const second: Migration = { number: 2, name: 'two', sql: 'CREATE TABLE two (n INTEGER)' }
const broken: Migration = {
  number: 2,
  name: 'broken',
  sql: 'CREATE TABLE half (n INTEGER); CREATE TABLE one (n INTEGER)',
}

const tables = (db: ReturnType<typeof openDatabase>): unknown[] =>
  db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name)

test('each step is done once, in the order of the numbers', () => {
  const db = openDatabase(':memory:')
  migrate(db, [first])
  migrate(db, [second, first])
  migrate(db, [first, second])
  expect(
    db
      .prepare('SELECT number, name FROM migration ORDER BY number')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { number: 1, name: 'one' },
    { number: 2, name: 'two' },
  ])
})

test('a step that fails leaves nothing behind and is tried again', () => {
  const db = openDatabase(':memory:')
  expect(() => migrate(db, [first, broken])).toThrow(/one/)
  expect(tables(db)).toEqual(['migration', 'one'])
  migrate(db, [first, second])
  expect(tables(db)).toEqual(['migration', 'one', 'two'])
})

test('a database of a newer Rein is refused by name', () => {
  const db = openDatabase(':memory:')
  migrate(db, [first, second])
  expect(() => migrate(db, [first])).toThrow(expect.objectContaining({ code: 'record_too_new' }))
})

test.each([
  ['a gap', [first, { ...second, number: 3 }]],
  ['a number twice', [first, { ...second, number: 1 }]],
])('%s in the numbers is a mistake of ours', (_, steps) => {
  expect(() => migrate(openDatabase(':memory:'), steps)).toThrow(/gap or repeats/)
})

test('the real steps make the real tables', () => {
  const db = openDatabase(':memory:')
  migrate(db, migrations)
  expect(tables(db)).toEqual(expect.arrayContaining(['agent', 'cursor', 'directive', 'record', 'topic']))
})

test('the real steps are those that databases have gone through', () => {
  const hash = (sql: string): string => createHash('sha256').update(sql).digest('hex').slice(0, 16)
  const landed = readFileSync(new URL('../../daemon/migrations.txt', import.meta.url), 'utf8')
  expect(migrations.map(({ number, name, sql }) => `${number} ${name} ${hash(sql)}\n`).join('')).toBe(landed)
})
