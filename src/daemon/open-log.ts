import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type ErrorBody, ReinError } from '../contract/errors.ts'
import { Log } from '../log/log.ts'
import { storageError } from '../store/failure.ts'
import { type Database, openDatabase } from '../store/sqlite.ts'

/** Starts the writer thread, and opens the database for reading once the writer has brought it up to date. */
export const openLog = async (path: string): Promise<{ log: Log; reader: Database; worker: Worker }> => {
  const worker = new Worker(new URL('./writer.js', import.meta.url), { workerData: { path } })
  try {
    const [word] = (await once(worker, 'message')) as ['open' | ErrorBody]
    if (word !== 'open') throw ReinError.fromBody(word)
    const reader = openDatabase(path, { readOnly: true })
    return { log: new Log(worker, reader), reader, worker }
  } catch (cause) {
    throw storageError(cause)
  }
}
