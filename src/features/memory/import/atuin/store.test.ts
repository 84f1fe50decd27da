import { expect, test } from 'vitest'
import { openDatabase } from '../../../../base/store/sqlite.ts'
import { readAtuin } from './store.ts'

/** The table as atuin's first migration makes it. */
const first = `CREATE TABLE history (id text primary key, timestamp integer not null, duration integer not null,
  exit integer not null, command text not null, cwd text not null, session text not null, hostname text not null,
  unique(timestamp, cwd, command))`

/** What later migrations have added. */
const later = ['deleted_at integer', 'author text', 'intent text', 'shell text', 'author_kind integer']
const added = later.map((column) => `ALTER TABLE history ADD COLUMN ${column}`).join(';')

const insert = `INSERT INTO history (id, timestamp, duration, exit, command, cwd, session, hostname) VALUES `

test('every version: nanoseconds become milliseconds, -1 is unknown', () => {
  const db = openDatabase(':memory:')
  db.exec(first)
  db.exec(`${insert} ('a', 1700000000123456789, 2500000000, 1, 'make', '/w', 's1', 'box:ada'),
    ('b', 1700000001000000000, -1, -1, 'ls', 'unknown', '', 'box:ada')`)
  expect([...readAtuin(db)]).toEqual([
    {
      command: 'make',
      at: 1_700_000_000_123,
      cwd: '/w',
      exit: 1,
      durationMs: 2500,
      session: 's1',
      author: 'person',
      outcome: 'failed',
      output: null,
      key: 'a',
    },
    {
      command: 'ls',
      at: 1_700_000_001_000,
      cwd: null,
      exit: null,
      durationMs: null,
      session: null,
      author: 'person',
      outcome: 'unknown',
      output: null,
      key: 'b',
    },
  ])
})

test('newer versions: what was deleted is left out, and agents are told from people', () => {
  const db = openDatabase(':memory:')
  db.exec(`${first};${added}`)
  db.exec(`${insert} ('a', 1, 1, 0, 'one', '/w', 's', 'box:ada'), ('b', 2, 1, 0, 'two', '/w', 's', 'box:ada'),
    ('c', 3, 1, 0, 'three', '/w', 's', 'box:ada'), ('d', 4, 1, 0, 'four', '/w', 's', 'box:pi')`)
  db.exec(`UPDATE history SET author = 'ada';
    UPDATE history SET deleted_at = 5 WHERE id = 'a';
    UPDATE history SET author = 'claude-code' WHERE id = 'b';
    UPDATE history SET author = 'pi' WHERE id = 'd'`)
  expect([...readAtuin(db)].map(({ command, author }) => [command, author])).toEqual([
    ['two', 'claude'],
    ['three', 'person'],
    ['four', 'person'],
  ])
})

test('more than one page', () => {
  const db = openDatabase(':memory:')
  db.exec(first)
  const rows = Array.from({ length: 2500 }, (_, n) => `('${n}', ${n}, 1, 0, 'echo ${n}', '/w', 's', 'h')`)
  db.exec(`${insert} ${rows.join(',')}`)
  expect([...readAtuin(db)].map(({ command }) => command)).toEqual(rows.map((_, n) => `echo ${n}`))
})
