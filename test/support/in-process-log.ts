import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { migrations, projectors } from '../../src/daemon/schema.ts'
import { Log } from '../../src/base/log/log.ts'
import type { Projector } from '../../src/base/log/projector.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { serveWriter } from '../../src/base/log/writer-thread.ts'
import { migrate } from '../../src/base/store/migrate.ts'
import { type Database, openDatabase, openForWriting } from '../../src/base/store/sqlite.ts'
import { tempDir } from './builders.ts'

/** One end of a channel, with the little of a worker that the log uses. */
class PortWorker extends EventEmitter {
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    super()
    this.#port = port
    port.on('message', (message) => this.emit('message', message))
    port.on('close', () => this.emit('exit', 0))
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }
}

export interface TestLog {
  log: Log
  writer: LogWriter
  /** The writer's own connection. */
  db: Database
  path: string
  /** Ends the writer as a crash would. */
  endWriter: () => Promise<void>
}

/** The real log and the real writer with a real channel between them, only in one thread. */
export const startLog = (extra: readonly Projector[] = []): TestLog => {
  const path = join(tempDir(), 'rein.db')
  const db = openForWriting(path)
  migrate(db, migrations)
  const writer = new LogWriter(db, [...projectors, ...extra])
  const { port1, port2 } = new MessageChannel()
  serveWriter(port2, writer, () => db.close())
  const worker = new PortWorker(port1)
  const log = new Log(worker as unknown as Worker, openDatabase(path, { readOnly: true }))
  onTestFinished(() => log.close().catch(() => undefined))
  const endWriter = async (): Promise<void> => {
    const ended = once(worker, 'exit')
    port2.close()
    await ended
  }
  return { log, writer, db, path, endWriter }
}

/** A database with all tables and nothing in them. */
export const emptyDatabase = (): Database => {
  const db = openDatabase(':memory:')
  migrate(db, migrations)
  return db
}

export const allTables = (db: Database): string[] =>
  db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))

/** Every row of these tables, in a fixed order. */
export const dump = (db: Database, tables: readonly string[]): string =>
  JSON.stringify(
    tables.map((name) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all()]),
    null,
    1,
  )
