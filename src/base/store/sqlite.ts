import { closeSync, existsSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ReinError } from '../../contract/errors.ts'
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

/** The build puts the binding beside the programs and its place here; absent where the sources run unbundled. */
declare const __REIN_SQLITE__: string | undefined

interface Binding {
  DatabaseSync: new (
    path: string,
    options: OpenOptions,
  ) => { exec(sql: string): void; prepare(sql: string): NativeStatement; close(): void }
}

/** Node has SQLite since 22.13; for older ones Rein brings a binding with the same interface. */
const loadBinding = (): Binding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return require('node:sqlite') as Binding
  try {
    return require(typeof __REIN_SQLITE__ === 'string' ? __REIN_SQLITE__ : '@photostructure/sqlite') as Binding
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n')
    throw new ReinError(
      'failed',
      `Node ${process.version} has no SQLite, and the one that comes with Rein cannot be loaded (${reason}).`,
      'Install Node 22.13 or newer.',
    )
  }
}

export const openDatabase = (path: string, options: OpenOptions = {}): Database => {
  // For this user alone, whatever the umask: SQLite gives its other files the mode of this one.
  // An existing file is not even opened: closing it again would release the locks of this process on it.
  if (options.readOnly !== true && path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const { DatabaseSync } = loadBinding()
  const native = new DatabaseSync(path, { readOnly: options.readOnly ?? false })
  const known = new BoundedMap<string, Statement>(mostStatements)
  let isOpen = true
  const db: Database = {
    exec: (sql) => native.exec(sql),
    // Preparing a statement costs more than running it.
    prepare: (sql) => {
      const found = known.get(sql) ?? wrap(native.prepare(sql))
      known.set(sql, found)
      return found
    },
    // Closing twice is harmless, as with a file handle of Node; the binding throws.
    close: () => {
      if (isOpen) native.close()
      isOpen = false
    },
  }
  if (options.readOnly !== true) return db
  try {
    // This reads the database. A damaged one keeps its cache size: a later read reports the damage.
    db.exec(smallCache)
  } catch {
    return db
  }
  return db
}

/** In KiB, the same for both bindings: the system caches the file anyway. */
const smallCache = 'PRAGMA cache_size = -2000'

interface NativeStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

/** Both bindings cut a text at its first NUL, one when it is written, the other when it is read. */
const withoutNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value

const wrap = (statement: NativeStatement): Statement => ({
  run: (...values) => {
    const { changes, lastInsertRowid } = statement.run(...values.map(withoutNul))
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  },
  get: (...values) => statement.get(...values.map(withoutNul)) as Row | undefined,
  all: (...values) => statement.all(...values.map(withoutNul)) as Row[],
})

/** More statements than Rein has: some vary with the number of values in a request. */
const mostStatements = 500

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
