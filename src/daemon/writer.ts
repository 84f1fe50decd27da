import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { LogWriter } from '../log/writer.ts'
import { serveWriter } from '../log/writer-thread.ts'
import { storageError } from '../store/failure.ts'
import { migrate } from '../store/migrate.ts'
import { openForWriting } from '../store/sqlite.ts'
import { durability, withFault } from './fault.ts'
import { migrations, projectors } from './schema.ts'

/** The writer thread: the one connection that changes the database. Its first word is `open`, or why it could not. */
const run = (port: MessagePort, path: string): void => {
  try {
    const db = openForWriting(path, durability())
    migrate(db, migrations)
    serveWriter(port, withFault(new LogWriter(db, projectors)), () => db.close())
    port.postMessage('open')
  } catch (cause) {
    port.postMessage(storageError(cause).toBody())
  }
}

if (parentPort === null) throw new Error('The writer runs as a thread of the daemon.')
run(parentPort, (workerData as { path: string }).path)
