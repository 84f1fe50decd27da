import type { AnyRecord } from '../../contract/record.ts'
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
