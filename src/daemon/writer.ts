import { parentPort, workerData } from 'node:worker_threads'
import { LogWriter } from '../log/writer.ts'
import { serveWriter } from '../log/writer-thread.ts'
import { migrate } from '../store/migrate.ts'
import { openForWriting } from '../store/sqlite.ts'
import { migrations, projectors } from './schema.ts'

/** The writer thread: the one connection that changes the database. */
const { path } = workerData as { path: string }
const db = openForWriting(path)
migrate(db, migrations)
if (parentPort === null) throw new Error('The writer runs as a thread of the daemon.')
serveWriter(parentPort, new LogWriter(db, projectors), () => db.close())
parentPort.postMessage('open')
