import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { onBeat } from '../../base/util/beat.ts'
import { Waiters } from '../../base/util/waiters.ts'
import { type Database, openDatabase, type Row } from '../../base/store/sqlite.ts'

/** A watcher may miss changes: then this finds them. */
const rescanMs = 2000

/** Follows the rows of one conversation in another program's database, which may not be there yet. */
export class TableTail {
  readonly #path: string
  readonly #query: string
  readonly #conversation: string
  readonly #onRows: (rows: Row[]) => void
  readonly #stopRescan: () => void
  #watcher: FSWatcher | null = null
  #db: Database | null = null
  #position = 0
  #isClosed = false
  readonly #waiters = new Waiters()

  constructor(path: string, query: string, conversation: string, onRows: (rows: Row[]) => void) {
    this.#path = path
    this.#query = query
    this.#conversation = conversation
    this.#onRows = onRows
    this.#stopRescan = onBeat(rescanMs, () => this.read())
    // Not in the constructor: whoever makes it has to know it first.
    queueMicrotask(() => this.read())
  }

  /** Reads what is there now. */
  read(): void {
    if (this.#isClosed || !this.#open()) return
    const rows = this.#newRows()
    if (rows.length === 0) return
    this.#position = Number(rows.at(-1)?.['position'])
    this.#onRows(rows)
    this.#waiters.tell()
  }

  /** True at the next new rows, false after `ms` without any. */
  next(ms: number): Promise<boolean> {
    return this.#waiters.next(ms)
  }

  close(): void {
    this.#isClosed = true
    this.#stopRescan()
    this.#watcher?.close()
    this.#db?.close()
    this.#db = null
  }

  /** A database that is busy, or not yet made, answers at the next look. */
  #newRows(): Row[] {
    try {
      return this.#db?.prepare(this.#query).all(this.#conversation, this.#position) ?? []
    } catch {
      return []
    }
  }

  #open(): boolean {
    this.#watch()
    if (this.#db === null && existsSync(this.#path)) this.#db = tryOpen(this.#path)
    return this.#db !== null
  }

  /** The write-ahead log beside it changes first, and comes and goes: so its directory is watched. */
  #watch(): void {
    if (this.#watcher !== null) return
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (_, name) => {
        if (name === null || name.startsWith(basename(this.#path))) this.read()
      })
      this.#watcher.on('error', () => undefined)
    } catch {
      this.#watcher = null
    }
  }
}

const tryOpen = (path: string): Database | null => {
  try {
    return openDatabase(path, { readOnly: true })
  } catch {
    return null
  }
}
