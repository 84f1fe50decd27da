import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ReinError } from '../contract/errors.ts'
import { Log } from '../base/log/log.ts'
import { storageError } from '../base/store/failure.ts'
import { type Database, openDatabase } from '../base/store/sqlite.ts'
import type { StoreFindings } from './check-store.ts'
import type { WriterStart, WriterWord } from './writer.ts'

export interface OpenLog {
  log: Log
  reader: Database
  worker: Worker
  findings: StoreFindings
}

/** Starts the writer thread, and opens the database for reading once the writer has brought it up to date. */
export const openLog = async (start: WriterStart): Promise<OpenLog> => {
  const worker = new Worker(new URL('./writer.js', import.meta.url), { workerData: start })
  try {
    const [word] = (await once(worker, 'message')) as [WriterWord]
    if ('error' in word) throw ReinError.fromBody(word)
    const reader = openDatabase(start.path, { readOnly: true })
    return { log: new Log(worker, reader), reader, worker, findings: word.open }
  } catch (cause) {
    throw storageError(cause)
  }
}
