import { ReinError } from '../contract/errors.ts'
import {
  brokenState,
  type DamagedRecord,
  damagedRecords,
  hasLog,
  setAside,
  structuralFaults,
  unreadableRecords,
} from '../base/log/repair/store.ts'
import { LogWriter } from '../base/log/writer.ts'
import { isFault } from '../base/store/failure.ts'
import { type Database, transaction } from '../base/store/sqlite.ts'
import { jsonColumns, projectors, readState } from './schema.ts'

/** A look at all of a database takes a second for half a gigabyte: a larger one is looked at when its daily copy is made. */
export const checkedAtStart = 256 * 1024 * 1024

/** Damage that does not prevent using the database. */
export interface StoreFindings {
  /** Records that are set aside, now or before. */
  records: DamagedRecord[]
  /** Tables of state that were made anew. */
  rebuilt: string[]
}

/** Refuses a file whose pages or indexes are damaged: whatever is written to it may be lost. */
export const requireStructure = (db: Database): void => {
  const faults = structuralFaults(db)
  if (faults.length > 0) throw damaged(faults.slice(0, 3).join('; '))
}

/** A database without tables, where one with tables was, is not a new one. */
export const requireTables = (db: Database): void => {
  if (!hasLog(db)) throw damaged('it is empty, and there was something in it')
}

const damaged = (detail: string): ReinError =>
  new ReinError(
    'storage_damaged',
    `The database is damaged: ${detail.replaceAll('\n', ' ')}`,
    'Repair it: rein daemon repair',
  )

interface CheckOptions {
  now: number
  /** Whether no newer Rein has written to it: then a type that is unknown is damage. */
  isOurs: boolean
}

/** Sets unreadable records aside, and rebuilds state that cannot be read. */
export const mendContent = (db: Database, { now, isOurs }: CheckOptions): StoreFindings => {
  const unreadable = unreadableRecords(db, isOurs)
  if (unreadable.length > 0)
    transaction(db, () =>
      setAside(
        db,
        unreadable.map(({ seq }) => seq),
        now,
      ),
    )
  return { records: damagedRecords(db), rebuilt: mendState(db) }
}

/** From all records first; if that state cannot be read, either, from those that are what their type says. */
export const mendState = (db: Database): string[] => {
  const broken = brokenTables(db)
  if (broken.length === 0) return []
  for (const isStrict of [false, true]) {
    const [outcome] = new LogWriter(db, projectors).write([{ kind: 'rebuild', isStrict }])
    if (outcome?.ok === false) throw outcome.cause
    if (brokenTables(db).length === 0) return broken
  }
  throw damaged(`its state cannot be made anew (${broken.join(', ')})`)
}

const brokenTables = (db: Database): string[] => {
  const broken = brokenState(db, jsonColumns)
  if (broken.length > 0) return broken
  try {
    readState(db)
    return []
  } catch (cause) {
    if (isFault(cause)) throw cause
    return ['state']
  }
}
