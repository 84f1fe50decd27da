import type { ErrorBody } from '../contract/errors.ts'
import { copyInto, type DamagedRecord, structuralFaults, unreadableRecords } from '../base/log/repair/store.ts'
import { storageError } from '../base/store/failure.ts'
import { openDatabase } from '../base/store/sqlite.ts'

export interface CopyOrder {
  database: string
  draft: string
  isOurs: boolean
}

/** Damage in the copy means damage in the database. */
export type CopyWord = { faults: string[]; unreadable: DamagedRecord[] } | ErrorBody

/** A process that copies the database and looks at the copy as a whole, while everybody goes on. */
const copy = ({ database, draft, isOurs }: CopyOrder): CopyWord => {
  try {
    const source = openDatabase(database, { readOnly: true })
    try {
      copyInto(source, draft)
    } finally {
      source.close()
    }
    const made = openDatabase(draft, { readOnly: true })
    try {
      return { faults: structuralFaults(made), unreadable: unreadableRecords(made, isOurs) }
    } finally {
      made.close()
    }
  } catch (cause) {
    return storageError(cause).toBody()
  }
}

process.send?.(copy(JSON.parse(process.argv[2] ?? '') as CopyOrder), () => process.exit())
