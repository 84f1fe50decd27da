import type { AnyRecord } from '../../contract/record.ts'
import type { Migration } from '../store/migrate.ts'
import type { Database, Row } from '../store/sqlite.ts'

/** Which old records of a topic are dropped. */
export interface Retention {
  /** Whether nothing that is open or can still be asked for is made of this record; `before`: what is older is old. */
  isSpare(db: Database, row: Row, before: number): boolean
  /** Removes the rows that were made of dropped records. */
  drop?(db: Database, row: Row): void
}

/** Keeps current state in tables, in the transaction that appends the record; `clear` makes it rebuildable. */
export interface Projector {
  name: string
  clear(db: Database): void
  apply(db: Database, record: AnyRecord): void
  /** By topic. One without is kept, unless nothing is made of it. */
  retention?: Readonly<Record<string, Retention>>
  /** The records of a topic up to `floor` are gone: what was made of them may go, too. */
  pruned?(db: Database, topic: string, floor: number): void
}

/** The part of the database that one `store.ts` keeps. `npm run docs` lists them all in `daemon/stores.ts`. */
export interface StorePart {
  /** A new one takes the next free number, for ever. */
  migrations: readonly Migration[]
  projector?: Projector
  /** The columns of each table that hold JSON. */
  json?: Readonly<Record<string, readonly string[]>>
  /** Reads the state that a daemon starts with, and throws where that daemon would. */
  readState?: (db: Database) => unknown
}
