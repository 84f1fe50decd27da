import { type AnyNewRecord, type AnyRecord, isSound } from '../../contract/record.ts'
import { isFault } from '../store/failure.ts'
import { type Database, transaction } from '../store/sqlite.ts'
import type { Projector, Retention } from './projector.ts'
import { setAside } from './repair/store.ts'
import { retentionRules } from './retention.ts'
import {
  type Appended,
  append,
  checkpoint,
  compact,
  giveBack,
  moveCursor,
  type Piece,
  prunePiece,
  readAll,
  topicBounds,
} from './store.ts'

export interface CursorMove {
  reader: string
  topic: string
  position: number
}

/** One all-or-nothing piece of work for the writer. */
export type WriteJob =
  | { kind: 'append'; records: AnyNewRecord[]; cursors: CursorMove[] }
  | ({ kind: 'prune' } & Piece)
  /** `isStrict`: only from records that are what their type says, for a database that was damaged. */
  | { kind: 'rebuild'; isStrict?: boolean }
  | { kind: 'set_aside'; seqs: number[]; now: number }
  | SpaceJob

/** These are done between transactions. */
type SpaceJob =
  /** Copies the write-ahead log into the database, and empties it. */
  { kind: 'checkpoint' } | { kind: 'give_back'; pages: number } | { kind: 'compact' }

const isSpaceJob = (job: WriteJob): job is SpaceJob =>
  job.kind === 'checkpoint' || job.kind === 'give_back' || job.kind === 'compact'

export interface WriteResult {
  appended: Appended[]
  count: number
  /** Records that a rebuild could not apply. */
  skipped?: number[]
  /** Where the next piece begins; null if there is none. */
  next?: number | null
}

export type Outcome = { ok: true; result: WriteResult } | { ok: false; cause: unknown }

/** The part that the writer thread uses. */
export type Writer = Pick<LogWriter, 'write' | 'commits'>

/** The only writer of the database: appends, projects and moves cursors, many jobs to one commit. */
export class LogWriter {
  readonly #db: Database
  readonly #projectors: readonly Projector[]
  readonly #retention: ReadonlyMap<string, Retention>
  commits = 0

  constructor(db: Database, projectors: readonly Projector[]) {
    this.#db = db
    this.#projectors = projectors
    this.#retention = retentionRules(projectors)
  }

  /** One commit for all; if that fails, each job on its own, so that one bad job does not fail the others. */
  write(jobs: readonly WriteJob[]): Outcome[] {
    const alone = jobs.findIndex(isSpaceJob)
    if (alone >= 0 && jobs.length > 1)
      return [jobs.slice(0, alone), jobs.slice(alone, alone + 1), jobs.slice(alone + 1)].flatMap((part) =>
        this.write(part),
      )
    if (jobs.length === 0) return []
    try {
      const [first] = jobs
      if (first !== undefined && isSpaceJob(first)) return [{ ok: true, result: this.#makeSpace(first) }]
      const results = transaction(this.#db, () => jobs.map((job) => this.#perform(job)))
      this.commits += 1
      return results.map((result) => ({ ok: true, result }))
    } catch (cause) {
      if (jobs.length === 1) return [{ ok: false, cause }]
      return jobs.flatMap((job) => this.write([job]))
    }
  }

  #makeSpace(job: SpaceJob): WriteResult {
    if (job.kind === 'checkpoint') checkpoint(this.#db)
    else if (job.kind === 'give_back') giveBack(this.#db, job.pages)
    else compact(this.#db)
    return { appended: [], count: 0 }
  }

  #perform(job: WriteJob): WriteResult {
    if (isSpaceJob(job)) return this.#makeSpace(job)
    if (job.kind === 'prune') {
      const { topic } = job
      const retention = this.#retention.get(topic)
      if (retention === undefined) return { appended: [], count: 0, next: null }
      const { count, next } = prunePiece(this.#db, job, retention)
      const { floor } = topicBounds(this.#db, topic)
      if (count > 0) for (const projector of this.#projectors) projector.pruned?.(this.#db, topic, floor)
      return { appended: [], count, next }
    }
    if (job.kind === 'rebuild') {
      for (const projector of this.#projectors) projector.clear(this.#db)
      const skipped: number[] = []
      let count = 0
      for (const { seq, record } of readAll(this.#db)) {
        try {
          if (record === null || ((job.isStrict ?? false) && !isSound(record))) skipped.push(seq)
          else {
            this.#project(record)
            count += 1
          }
        } catch (cause) {
          // One bad record must not keep the others from being read.
          if (isFault(cause)) throw cause
          skipped.push(seq)
        }
      }
      return { appended: [], count, skipped }
    }
    if (job.kind === 'set_aside') {
      setAside(this.#db, job.seqs, job.now)
      return { appended: [], count: job.seqs.length }
    }
    const appended = job.records.map((record) => {
      const one = append(this.#db, record)
      if (one.isNew) this.#project({ ...record, seq: one.seq })
      return one
    })
    for (const { reader, topic, position } of job.cursors) moveCursor(this.#db, reader, topic, position)
    return { appended, count: appended.length }
  }

  #project(record: AnyRecord): void {
    for (const projector of this.#projectors) projector.apply(this.#db, record)
  }
}
