import { manifest } from '../../../contract/manifest.ts'
import type { RecordType } from '../../../contract/record.ts'
import { type Cell, readCells } from '../../store/cells.ts'
import { emptiedPages, openPages, type Pages } from '../../store/pages.ts'
import type { SqlValue } from '../../store/sqlite.ts'

/** A record of the file: its number, and the other columns in order. */
export interface RawRecord {
  seq: number
  topic: string
  columns: SqlValue[]
}

/** A record that is there only in part. */
interface BadRecord {
  seq: number
  topic: string | null
  page: number
}

export interface Scan {
  wal: Pages['wal']
  pages: number
  records: number
  bad: BadRecord[]
  badPages: number[]
  /** Every record that an index knows of, with its topic: one that is not found is lost. */
  known: Map<number, string>
  floors: Map<string, number>
  cursors: { reader: string; topic: string; position: number }[]
  /** The highest number that is known to have been given out. */
  last: number
}

const topics: ReadonlySet<string> = new Set(Object.values(manifest).map(({ topic }) => topic))

/** Reads the file page by page, so that no damaged page hides another; each record goes to `take`. */
export const scanRecords = (
  path: string,
  take: (record: RawRecord) => void,
  onPage: (page: number, of: number) => void,
): Scan => {
  const pages = openPages(path)
  const found: Scan = {
    wal: pages.wal,
    pages: pages.count,
    records: 0,
    bad: [],
    badPages: [],
    known: new Map(),
    floors: new Map(),
    cursors: [],
    last: 0,
  }
  const badPages = new Set<number>()
  try {
    for (const page of emptiedPages(pages)) badPages.add(page)
    for (const cell of readCells(pages)) {
      onPage(cell.page, pages.count)
      if (cell.kind === 'bad') badPages.add(cell.page)
      else if (cell.kind === 'index') {
        // The indexes by topic and by agent end with the topic and, twice, the number of the record.
        const [topic, seq, rowid] = cell.values.slice(-3)
        if (typeof topic === 'string' && topics.has(topic) && typeof seq === 'number' && seq === rowid)
          found.known.set(seq, topic)
      } else noteRow(found, cell, take)
    }
  } finally {
    pages.close()
  }
  return { ...found, badPages: [...badPages] }
}

/** Recognises tables by their shape, since the schema may be damaged. */
const noteRow = (found: Scan, { page, rowid, values }: Cell, take: (record: RawRecord) => void): void => {
  const isRecord =
    values.length === 11 &&
    values[0] === null &&
    [1, 2, 3, 6, 10].every((index) => typeof values[index] === 'string') &&
    [4, 5].every((index) => typeof values[index] === 'number')
  if (isRecord) {
    const record = readRecord(rowid, values)
    found.last = Math.max(found.last, rowid)
    if (record === null) return void found.bad.push({ seq: rowid, topic: knownTopic(values[2]), page })
    found.records += 1
    return take(record)
  }
  const [first, second, third, type, body] = values
  const isSetAside =
    values.length === 5 &&
    first === null &&
    knownTopic(second) !== null &&
    typeof third === 'number' &&
    typeof type === 'string' &&
    typeof body === 'string'
  if (isSetAside) return void found.bad.push({ seq: rowid, topic: knownTopic(second), page })
  if (values.length === 2 && first === 'record' && typeof second === 'number') found.last = Math.max(found.last, second)
  if (values.length !== 3 || typeof third !== 'number' || typeof first !== 'string') return
  if (topics.has(first) && typeof second === 'number') found.floors.set(first, second)
  else if (typeof second === 'string') found.cursors.push({ reader: first, topic: second, position: third })
}

/** The type says the topic, so a topic that was damaged is known all the same. */
const readRecord = (seq: number, values: readonly SqlValue[]): RawRecord | null => {
  const [, id, , type, v, at, actor, agent, project, cause, body] = values
  if (!Object.hasOwn(manifest, String(type)) || !isJson(actor) || !isJson(body) || seq <= 0) return null
  const { topic } = manifest[type as RecordType]
  const columns = [id, topic, type, v, at, actor, agent, project, cause, body].map((value) => value ?? null)
  return { seq, topic, columns }
}

/** Whether the same would be said of a record that comes from elsewhere. */
export const isReadable = ({ seq, columns }: RawRecord): boolean => readRecord(seq, [null, ...columns]) !== null

const knownTopic = (value: SqlValue | undefined): string | null =>
  typeof value === 'string' && topics.has(value) ? value : null

const isJson = (value: SqlValue | undefined): boolean => {
  try {
    return typeof JSON.parse(String(value)) === 'object'
  } catch {
    return false
  }
}
