import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { countHeld } from '../../../test/support/retained.ts'
import { openDatabase, openForWriting, snapshot, transaction } from './sqlite.ts'

const table = 'CREATE TABLE t (n INTEGER, s TEXT) STRICT'

test('values come back as they were given', () => {
  const db = openDatabase(':memory:')
  db.exec(table)
  const text = 'Zeile \u2028 😀'
  expect(db.prepare('INSERT INTO t VALUES (?, ?)').run(2 ** 53 - 1, text)).toEqual({ changes: 1, lastInsertRowid: 1 })
  db.prepare('INSERT INTO t VALUES (?, ?)').run(null, null)
  expect(
    db
      .prepare('SELECT * FROM t')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { n: 2 ** 53 - 1, s: text },
    { n: null, s: null },
  ])
  expect(db.prepare('SELECT * FROM t WHERE n = ?').get(5)).toBeUndefined()
})

test('a NUL costs no more than itself', () => {
  const db = openDatabase(':memory:')
  db.exec(table)
  db.prepare('INSERT INTO t (s) VALUES (?)').run('before\u0000after')
  expect(db.prepare('SELECT s FROM t WHERE s = ?').get('before\u0000after')?.s).toBe('before\uFFFDafter')
})

test('a closed connection leaves nothing behind, whatever was prepared on it', () => {
  const directory = tempDir()
  const db = openForWriting(join(directory, 'a.db'))
  db.exec(table)
  const statements = ['INSERT INTO t (n) VALUES (1)', 'SELECT * FROM t'].map((sql) => db.prepare(sql))
  for (const statement of statements) statement.get()
  db.close()
  expect(readdirSync(directory)).toEqual(['a.db'])
})

test('the writing connection waits for the disk at each commit', () => {
  const db = openForWriting(join(tempDir(), 'a.db'))
  expect(db.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('wal')
  expect(db.prepare('PRAGMA synchronous').get()?.synchronous).toBe(2)
  db.close()
})

test('a transaction happens whole or not at all', () => {
  const db = openDatabase(':memory:')
  db.exec(table)
  const insert = (n: number) => db.prepare('INSERT INTO t (n) VALUES (?)').run(n)
  const fails = () =>
    transaction(db, () => {
      insert(1)
      throw new Error('no')
    })
  expect(fails).toThrow('no')
  expect(transaction(db, () => insert(2).changes)).toBe(1)
  expect(
    db
      .prepare('SELECT n FROM t')
      .all()
      .map((row) => row.n),
  ).toEqual([2])
})

test('a reader sees what was committed, and cannot write', () => {
  const path = join(tempDir(), 'a.db')
  const writer = openForWriting(path)
  writer.exec(table)
  const reader = openDatabase(path, { readOnly: true })
  writer.exec('BEGIN IMMEDIATE; INSERT INTO t (n) VALUES (1)')
  expect(reader.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(0)
  writer.exec('COMMIT')
  expect(reader.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(1)
  expect(() => reader.exec('DELETE FROM t')).toThrow(/readonly/)
  reader.close()
  writer.close()
})

test('a snapshot sees one state, whatever is written meanwhile, and the next read the newest', () => {
  const path = join(tempDir(), 'a.db')
  const db = openForWriting(path)
  db.exec(table)
  const reader = openDatabase(path, { readOnly: true })
  const count = () => reader.prepare('SELECT count(*) AS n FROM t').get()?.n
  const seen = snapshot(reader, () => [count(), db.exec('INSERT INTO t (n) VALUES (1)'), count()])
  expect([seen, count()]).toEqual([[0, undefined, 0], 1])
  expect(() =>
    snapshot(reader, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(snapshot(reader, count)).toBe(1)
  for (const one of [reader, db]) one.close()
})

test('a statement is prepared once, and not kept for ever if each has another text', async () => {
  const db = openDatabase(':memory:')
  expect(db.prepare('SELECT 1 AS n')).toBe(db.prepare('SELECT 1 AS n'))
  const prepare = (): WeakRef<object>[] =>
    Array.from({ length: 2_000 }, (_, n) => new WeakRef(db.prepare(`SELECT ${n} AS n`)))
  expect(await countHeld(prepare())).toBeLessThanOrEqual(500)
})

test.each([true, false])('a connection keeps no more than 2 MB of pages; read-only: %s', (readOnly) => {
  const path = join(tempDir(), 'a.db')
  openForWriting(path).close()
  const db = readOnly ? openDatabase(path, { readOnly }) : openForWriting(path)
  expect(db.prepare('PRAGMA cache_size').get()?.cache_size).toBe(-2_000)
  db.close()
})

test('closing twice is harmless', () => {
  const db = openDatabase(':memory:')
  db.close()
  expect(() => db.close()).not.toThrow()
})
