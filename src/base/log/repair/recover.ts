import { crc32 } from 'node:zlib'
import type { Database } from '../../store/sqlite.ts'
import { isReadable, type RawRecord, type Scan, scanRecords } from './scan.ts'
import { putPositions, putRecords, rawRecordsAfter, readPositions } from './store.ts'

/** The records of a damaged database, completed from its daily copy. */
export interface Recovery {
  scan: Scan
  /** By topic: records that are there, that only the copy has, and that are lost. */
  topics: Map<string, { kept: number; recovered: number; lost: number }>
  /** Every record that is damaged or missing, and where it was, as far as that is known. */
  damaged: DamagedPlace[]
  recovered: number
}

interface DamagedPlace {
  seq: number
  topic: string | null
  page: number | null
  /** Not even the copy has it. */
  isLost: boolean
}

interface RecoverOptions {
  damaged: string
  copy: Database | null
  /** The new database; null only looks. */
  into: Database | null
  onProgress: (step: 'scan' | 'copy', done: number, of: number) => void
}

const batchSize = 1000
/** Numbers that may have been given out beyond the readable end; they are not used again. */
const unknownEnd = 100_000

export const recoverRecords = ({ damaged, copy, into, onProgress }: RecoverOptions): Recovery => {
  const topics: Recovery['topics'] = new Map()
  const batch = new Batch(into)
  const copied = copy === null ? new Map<number, CopiedRecord>() : takeCopy(copy, batch, onProgress)
  const found = new Set<number>()
  const changed: DamagedPlace[] = []
  const take = (record: RawRecord): void => {
    if (found.has(record.seq)) return
    found.add(record.seq)
    const other = copied.get(record.seq)
    if (other === undefined) batch.add(record)
    // The oldest commands are removed from records that stay, and are removed again when the log is replayed.
    const isOther = other !== undefined && record.topic !== 'commands' && other.sum !== sumOf(record)
    if (isOther) changed.push({ seq: record.seq, topic: record.topic, page: null, isLost: false })
    countOf(topics, record.topic)[isOther ? 'recovered' : 'kept'] += 1
  }
  const scan = scanRecords(damaged, take, (page, of) => onProgress('scan', page, of))
  batch.flush()
  // Records that an index knows, or that are there in part, and cannot be read.
  const missing = new Map<number, Omit<DamagedPlace, 'isLost'>>()
  for (const [seq, topic] of scan.known) if (!found.has(seq)) missing.set(seq, { seq, topic, page: null })
  for (const { seq, topic, page } of scan.bad)
    if (!found.has(seq)) missing.set(seq, { seq, topic: topic ?? scan.known.get(seq) ?? null, page })
  for (const [seq, { topic }] of copied)
    if (!found.has(seq) && (missing.has(seq) || seq > (scan.floors.get(topic) ?? 0)))
      countOf(topics, topic).recovered += 1
  const damagedOnes = [...missing.values()].map((one) => ({ ...one, isLost: !copied.has(one.seq) }))
  for (const { topic, isLost } of damagedOnes) if (isLost) countOf(topics, topic ?? 'unknown').lost += 1
  if (into !== null) {
    const older = copy === null ? { floors: new Map<string, number>(), cursors: [], last: 0 } : readPositions(copy)
    const floors = new Map(older.floors)
    for (const [topic, floor] of scan.floors) floors.set(topic, Math.max(floor, floors.get(topic) ?? 0))
    // The end of the log is known only if the write-ahead log could be read, or there was none.
    const isEndKnown = scan.wal !== 'damaged' && scan.records > 0 && scan.last >= older.last
    const last = Math.max(scan.last, older.last) + (isEndKnown ? 0 : unknownEnd)
    putPositions(into, { floors, cursors: [...older.cursors, ...scan.cursors], last })
  }
  return {
    scan,
    topics,
    damaged: [...changed, ...damagedOnes].toSorted((a, b) => a.seq - b.seq),
    recovered: [...topics.values()].reduce((sum, one) => sum + one.recovered, 0),
  }
}

interface CopiedRecord {
  topic: string
  sum: number
}

/** Where the copy has another version of a record, the copy counts: the damage may have changed the record unnoticed. */
const sumOf = ({ columns }: RawRecord): number => crc32(JSON.stringify(columns))

/** Takes all records of the copy: those that were pruned since are pruned again. */
const takeCopy = (
  copy: Database,
  batch: Batch,
  onProgress: RecoverOptions['onProgress'],
): Map<number, CopiedRecord> => {
  const copied = new Map<number, CopiedRecord>()
  const { last } = readPositions(copy)
  for (let after = 0, page: RawRecord[]; (page = rawRecordsAfter(copy, after, batchSize)).length > 0; ) {
    after = page.at(-1)?.seq ?? after
    for (const record of page.filter(isReadable)) {
      batch.add(record)
      copied.set(record.seq, { topic: record.topic, sum: sumOf(record) })
    }
    onProgress('copy', after, last)
  }
  return copied
}

const countOf = (topics: Recovery['topics'], topic: string): { kept: number; recovered: number; lost: number } => {
  const count = topics.get(topic) ?? { kept: 0, recovered: 0, lost: 0 }
  topics.set(topic, count)
  return count
}

/** Writes many at a time. */
class Batch {
  readonly #into: Database | null
  readonly #waiting: RawRecord[] = []

  constructor(into: Database | null) {
    this.#into = into
  }

  add(record: RawRecord): void {
    if (this.#into === null) return
    this.#waiting.push(record)
    if (this.#waiting.length >= batchSize) this.flush()
  }

  flush(): void {
    if (this.#into !== null) putRecords(this.#into, this.#waiting.splice(0))
  }
}
