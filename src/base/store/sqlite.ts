import { closeSync, existsSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BoundedMap } from '../util/bounded-map.ts'

/** A value that SQLite takes and gives without conversion. */
export type SqlValue = string | number | null
export type Row = Record<string, SqlValue>

interface Statement {
  run(...values: SqlValue[]): { changes: number; lastInsertRowid: number }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
}

/** The little of SQLite that Rein uses, the same over both bindings. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

interface OpenOptions {
  readOnly?: boolean
}

const require = createRequire(import.meta.url)

/** node:sqlite where it exists (Node >= 22.13), else better-sqlite3. */
export const openDatabase = (path: string, options: OpenOptions = {}): Database => {
  // For this user alone, whatever the umask: SQLite gives its other files the mode of this one.
  // An existing file is not even opened: closing it again would release the locks of this process on it.
  if (options.readOnly !== true && path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const hasNodeSqlite = major > 22 || (major === 22 && minor >= 13)
  const db = hasNodeSqlite ? openNodeSqlite(path, options) : openBetterSqlite(path, options)
  if (options.readOnly !== true) return db
  try {
    // This reads the database. A damaged one keeps its cache size: a later read reports the damage.
    db.exec(smallCache)
  } catch {
    return db
  }
  return db
}

/** In KiB, the same for both bindings: better-sqlite3 would take 16,000, and the system caches the file anyway. */
const smallCache = 'PRAGMA cache_size = -2000'

interface NativeStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

const wrap = (statement: NativeStatement): Statement => ({
  run: (...values) => {
    const { changes, lastInsertRowid } = statement.run(...values)
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  },
  get: (...values) => statement.get(...values) as Row | undefined,
  all: (...values) => statement.all(...values) as Row[],
})

/** More statements than Rein has: some vary with the number of values in a request. */
const mostStatements = 500

/** Statements are prepared once per text: preparing costs more than running. */
const caching = (prepare: (sql: string) => NativeStatement): ((sql: string) => Statement) => {
  const known = new BoundedMap<string, Statement>(mostStatements)
  return (sql) => {
    const found = known.get(sql) ?? wrap(prepare(sql))
    known.set(sql, found)
    return found
  }
}

const openNodeSqlite = (path: string, { readOnly = false }: OpenOptions): Database => {
  const { DatabaseSync } = require('node:sqlite') as {
    DatabaseSync: new (
      path: string,
      options: object,
    ) => { exec(sql: string): void; prepare(sql: string): NativeStatement; close(): void }
  }
  const db = new DatabaseSync(path, { readOnly })
  return { exec: (sql) => db.exec(sql), prepare: caching((sql) => db.prepare(sql)), close: () => db.close() }
}

const openBetterSqlite = (path: string, { readOnly = false }: OpenOptions): Database => {
  const BetterSqlite = require('better-sqlite3') as typeof import('better-sqlite3')
  const db = new BetterSqlite(path, { readonly: readOnly })
  return {
    exec: (sql) => void db.exec(sql),
    prepare: caching((sql) => db.prepare(sql)),
    close: () => void db.close(),
  }
}

/** The write-ahead log shrinks to this size when it starts over. */
const walLimit = 16 * 1024 * 1024

/** The connection that writes: a commit that returns has reached the disk. */
export const openForWriting = (path: string, synchronous: 'FULL' | 'NORMAL' | 'OFF' = 'FULL'): Database => {
  const db = openDatabase(path)
  // Takes effect only in a database without tables: then pruned space can be given back piece by piece.
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 5000; ${smallCache}`)
  // From the start, or content that SQLite moves would stay in its old place.
  db.exec(`PRAGMA secure_delete = ON; PRAGMA journal_size_limit = ${walLimit}`)
  return db
}

/** Runs `work` in one write transaction: all of it or nothing. */
export const transaction = <T>(db: Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (cause) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself (disk full).
    }
    throw cause
  }
}

/** Reads several times from one state, whatever is written in the meantime. */
export const snapshot = <T>(db: Database, read: () => T): T => {
  db.exec('BEGIN')
  try {
    return read()
  } finally {
    db.exec('COMMIT')
  }
}
