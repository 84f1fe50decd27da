import type { AnyRecord } from '../contract/record.ts'
import type { Database } from '../store/sqlite.ts'

/** Keeps current state in tables, in the transaction that appends the record; `clear` makes it rebuildable. */
export interface Projector {
  name: string
  clear(db: Database): void
  apply(db: Database, record: AnyRecord): void
  /** The records of a topic up to `floor` are gone: what was made of them may go, too. */
  pruned?(db: Database, topic: string, floor: number): void
}
