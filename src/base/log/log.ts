import { EventEmitter, once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ReinError } from '../../contract/errors.ts'
import type { AnyNewRecord, AnyRecord } from '../../contract/record.ts'
import type { Database } from '../store/sqlite.ts'
import {
  lastSeq,
  newestSeq,
  readAfter,
  readCursor,
  readNewest,
  readRange,
  countRange,
  type Space,
  spaceOf,
  topicBounds,
} from './store.ts'
import type { CursorMove, WriteJob, WriteResult } from './writer.ts'
import type { WriteAnswer, WriteRequest } from './writer-thread.ts'

interface Waiting {
  job: WriteJob
  resolve(result: WriteResult): void
  reject(cause: ReinError): void
}

/** Few enough that the disk works on the first jobs while the next ones arrive. */
const jobsPerMessage = 8
/** Four megabytes: a few milliseconds. */
const pagesPerPiece = 1000

/** The log as the daemon uses it: durable appends through the writer thread, reads on its own connection. */
export class Log {
  readonly #worker: Worker
  readonly #reader: Database
  readonly #waiting = new Map<number, Waiting>()
  readonly #news = new EventEmitter().setMaxListeners(0)
  readonly #exited: Promise<void>
  readonly #outgoing: WriteRequest[] = []
  #nextId = 0
  #closed = false
  #isCompacted = false
  commits = 0

  constructor(worker: Worker, reader: Database) {
    this.#worker = worker
    this.#reader = reader
    worker.on('message', (message: { answers: WriteAnswer[]; commits: number }) => {
      this.commits = message.commits
      const topics = new Set<string>()
      for (const answer of message.answers) {
        const waiting = this.#waiting.get(answer.id)
        if (waiting === undefined) continue
        this.#waiting.delete(answer.id)
        if ('error' in answer) waiting.reject(ReinError.fromBody(answer.error))
        else {
          if (waiting.job.kind === 'append') for (const record of waiting.job.records) topics.add(record.topic)
          waiting.resolve(answer.result)
        }
      }
      for (const topic of topics) this.#news.emit(topic)
    })
    worker.on('error', (cause) => this.#failAll(`The writer failed: ${cause.message}`))
    worker.on('exit', () => this.#failAll('The writer has ended.'))
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()))
  }

  /** Resolves when the records are on disk, with one sequence number each; a known id answers with its old one. */
  async append(records: AnyNewRecord[], cursors: CursorMove[] = []): Promise<number[]> {
    const { appended } = await this.#write({ kind: 'append', records, cursors })
    return appended.map(({ seq }) => seq)
  }

  /** Drops old records that are not needed, piece by piece, so that other writes come in between. */
  async prune(topic: string, before: number): Promise<number> {
    let total = 0
    for (let after: number | null = 0; after !== null; ) {
      const { count, next = null }: WriteResult = await this.#write({ kind: 'prune', topic, before, after })
      total += count
      after = next
    }
    return total
  }

  /** Gives free pages back to the disk, piece by piece; resolves with how many there were. */
  async giveBack(): Promise<number> {
    const { free } = spaceOf(this.#reader)
    for (let left = free; left > 0; left -= pagesPerPiece)
      await this.#write({ kind: 'give_back', pages: Math.min(left, pagesPerPiece) })
    return free
  }

  /** Rewrites the whole database. Other writes wait. */
  async compact(): Promise<void> {
    await this.#write({ kind: 'compact' })
    this.#isCompacted = true
  }

  get space(): Space {
    const space = spaceOf(this.#reader)
    // A connection keeps the value that it read when it was opened.
    return { ...space, isIncremental: space.isIncremental || this.#isCompacted }
  }

  /** Sets records aside that cannot be read. */
  async setAside(seqs: number[], now: number): Promise<void> {
    await this.#write({ kind: 'set_aside', seqs, now })
  }

  /** Rebuilds every table of current state from the records; returns those that could not be applied. */
  async rebuild(): Promise<{ records: number; skipped: number[] }> {
    const { count, skipped = [] } = await this.#write({ kind: 'rebuild' })
    return { records: count, skipped }
  }

  /** Resolves when the write-ahead log holds no overwritten data. */
  async checkpoint(): Promise<void> {
    await this.#write({ kind: 'checkpoint' })
  }

  readAfter(topic: string, after: number, limit = 500, knownFloor = 0): AnyRecord[] {
    return readAfter(this.#reader, { topic, after, limit, knownFloor })
  }

  readNewest(topic: string, agent: string, limit: number): AnyRecord[] {
    return readNewest(this.#reader, topic, agent, limit)
  }

  /** Records of several topics in the order of the log: the first of a range, or the last. */
  readRange(...range: Parameters<typeof readRange> extends [unknown, ...infer Range] ? Range : never): AnyRecord[] {
    return readRange(this.#reader, ...range)
  }

  countRange(...range: Parameters<typeof countRange> extends [unknown, ...infer Range] ? Range : never): number {
    return countRange(this.#reader, ...range)
  }

  /** The newest position of all topics. */
  get last(): number {
    return lastSeq(this.#reader)
  }

  /** The number of the newest record of one agent in a topic; 0 if there is none. */
  newestSeq(topic: string, agent: string): number {
    return newestSeq(this.#reader, topic, agent)
  }

  bounds(topic: string): { floor: number; last: number } {
    return topicBounds(this.#reader, topic)
  }

  cursor(reader: string, topic: string): number {
    return readCursor(this.#reader, reader, topic)
  }

  /** First the existing records (all that are kept, without `after`), then new ones. News only wakes the reader, which reads at its own pace: nothing piles up. */
  async *tail(topic: string, after: number | undefined, signal: AbortSignal): AsyncGenerator<AnyRecord> {
    const knownFloor = after === undefined ? this.bounds(topic).floor : 0
    let position = after ?? 0
    while (!signal.aborted) {
      const page = this.readAfter(topic, position, undefined, knownFloor)
      yield* page
      position = page.at(-1)?.seq ?? position
      if (page.length === 0) await once(this.#news, topic, { signal }).catch(() => undefined)
    }
  }

  /** Once now, then after commits to any of these topics; what is committed while the reader is busy counts once. */
  async *changes(topics: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
    let isNews = true
    let wake: (() => void) | undefined
    const notice = (): void => {
      isNews = true
      wake?.()
    }
    for (const topic of topics) this.#news.on(topic, notice)
    signal.addEventListener('abort', notice, { once: true })
    try {
      while (!signal.aborted) {
        if (!isNews) await new Promise<void>((resolve) => (wake = resolve))
        isNews = false
        if (!signal.aborted) yield
      }
    } finally {
      for (const topic of topics) this.#news.off(topic, notice)
      signal.removeEventListener('abort', notice)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#send()
    this.#worker.postMessage('close')
    await this.#exited
    this.#reader.close()
  }

  #write(job: WriteJob): Promise<WriteResult> {
    if (this.#closed) return Promise.reject(new ReinError('unavailable', 'The daemon is stopping.'))
    const id = ++this.#nextId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { job, resolve, reject })
      const count = this.#outgoing.push({ id, job })
      if (count === 1) setImmediate(() => this.#send())
      if (count === jobsPerMessage) this.#send()
    })
  }

  /** Requests of one round of the event loop are sent together: waking a thread costs more than the data. */
  #send(): void {
    const requests = this.#outgoing.splice(0)
    if (requests.length === 0) return
    try {
      this.#worker.postMessage(requests)
    } catch {
      // A request that cannot be cloned (a value nested thousands deep) fails alone.
      for (const request of requests)
        try {
          this.#worker.postMessage([request])
        } catch (cause) {
          this.#waiting.get(request.id)?.reject(new ReinError('failed', `Not storable: ${String(cause)}`))
          this.#waiting.delete(request.id)
        }
    }
  }

  #failAll(reason: string): void {
    this.#closed = true
    for (const waiting of this.#waiting.values()) waiting.reject(new ReinError('unavailable', reason))
    this.#waiting.clear()
  }
}
