import { statSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ErrorBody } from '../contract/errors.ts'
import { checkpoint } from '../base/log/store.ts'
import { LogWriter } from '../base/log/writer.ts'
import { serveWriter } from '../base/log/writer-thread.ts'
import { storageError } from '../base/store/failure.ts'
import { migrate } from '../base/store/migrate.ts'
import { type Database, openForWriting } from '../base/store/sqlite.ts'
import { checkedAtStart, mendContent, requireStructure, requireTables, type StoreFindings } from './check-store.ts'
import { durability, withFault } from './fault.ts'
import { migrations, projectors } from './schema.ts'

export interface WriterStart {
  path: string
  /** Whether no newer Rein has written to it. */
  isOurs: boolean
  /** Something was found to be damaged before: it is looked at whatever its size. */
  isSuspect: boolean
  /** Only then may it have no tables yet. */
  isNew: boolean
}

/** The first word of the writer: what it found, or why it could not open the database. */
export type WriterWord = { open: StoreFindings } | ErrorBody

/** The writer thread: the one connection that changes the database. */
const run = (port: MessagePort, { path, isOurs, isSuspect, isNew }: WriterStart): void => {
  const say = (word: WriterWord): void => port.postMessage(word)
  try {
    const db = openForWriting(path, durability())
    const isChecked = isSuspect || statSync(path).size <= checkedAtStart
    try {
      if (!isNew) requireTables(db)
      if (isChecked) requireStructure(db)
      migrate(db, migrations)
      const found = isChecked ? mendContent(db, { now: Date.now(), isOurs }) : { records: [], rebuilt: [] }
      serveWriter(port, withFault(new LogWriter(db, projectors)), () => closeWhole(db))
      say({ open: found })
    } catch (cause) {
      db.close()
      throw cause
    }
  } catch (cause) {
    say(storageError(cause).toBody())
  }
}

/** Others may still read, and then SQLite leaves the log beside the database: all of it is put in before. */
const closeWhole = (db: Database): void => {
  try {
    checkpoint(db)
  } finally {
    db.close()
  }
}

if (parentPort === null) throw new Error('The writer runs as a thread of the daemon.')
run(parentPort, workerData as WriterStart)
