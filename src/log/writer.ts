import type { AnyNewRecord, AnyRecord } from '../contract/record.ts'
import { type Database, transaction } from '../store/sqlite.ts'
import type { Projector } from './projector.ts'
import { type Appended, append, checkpoint, moveCursor, prune, readAll, topicBounds } from './store.ts'

export interface CursorMove {
  reader: string
  topic: string
  position: number
}

/** One all-or-nothing piece of work for the writer. */
export type WriteJob =
  | { kind: 'append'; records: AnyNewRecord[]; cursors: CursorMove[] }
  | { kind: 'prune'; topic: string; before: number }
  | { kind: 'rebuild' }
  /** What is behind is put into the database itself, and nothing of it stays beside it. */
  | { kind: 'checkpoint' }

export interface WriteResult {
  appended: Appended[]
  count: number
}

export type Outcome = { ok: true; result: WriteResult } | { ok: false; cause: unknown }

/** What the thread needs of it. */
export type Writer = Pick<LogWriter, 'write' | 'commits'>

/** The only writer of the database: appends, projects and moves cursors, many jobs to one commit. */
export class LogWriter {
  readonly #db: Database
  readonly #projectors: readonly Projector[]
  #isCheckpointDue = false
  commits = 0

  constructor(db: Database, projectors: readonly Projector[]) {
    this.#db = db
    this.#projectors = projectors
  }

  /** One commit for all; if that fails, each on its own, so that one bad job does not take the others down. */
  write(jobs: readonly WriteJob[]): Outcome[] {
    try {
      const results = this.#commit(() => jobs.map((job) => this.#perform(job)))
      return results.map((result) => ({ ok: true, result }))
    } catch (cause) {
      if (jobs.length === 1) return [{ ok: false, cause }]
      return jobs.flatMap((job) => this.write([job]))
    }
  }

  #commit<T>(work: () => T): T {
    const result = transaction(this.#db, work)
    this.commits += 1
    if (this.#isCheckpointDue) checkpoint(this.#db)
    this.#isCheckpointDue = false
    return result
  }

  #perform(job: WriteJob): WriteResult {
    if (job.kind === 'prune') return { appended: [], count: this.#prune(job.topic, job.before) }
    if (job.kind === 'rebuild') return { appended: [], count: this.#rebuild() }
    if (job.kind === 'checkpoint') {
      this.#isCheckpointDue = true
      return { appended: [], count: 0 }
    }
    const appended = job.records.map((record) => this.#append(record))
    for (const { reader, topic, position } of job.cursors) moveCursor(this.#db, reader, topic, position)
    return { appended, count: appended.length }
  }

  #append(record: AnyNewRecord): Appended {
    const appended = append(this.#db, record)
    if (appended.isNew) this.#project({ ...record, seq: appended.seq })
    return appended
  }

  #project(record: AnyRecord): void {
    for (const projector of this.#projectors) projector.apply(this.#db, record)
  }

  #prune(topic: string, before: number): number {
    const count = prune(this.#db, topic, before)
    const { floor } = topicBounds(this.#db, topic)
    for (const projector of this.#projectors) projector.pruned?.(this.#db, topic, floor)
    return count
  }

  #rebuild(): number {
    for (const projector of this.#projectors) projector.clear(this.#db)
    let count = 0
    for (const record of readAll(this.#db)) {
      this.#project(record)
      count += 1
    }
    return count
  }
}
