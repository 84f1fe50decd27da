import { ReinError } from '../../contract/errors.ts'
import { type AnyNewRecord, type AnyRecord, upcast } from '../../contract/record.ts'
import type { Migration } from '../store/migrate.ts'
import type { Database, Row } from '../store/sqlite.ts'
import type { Retention, StorePart } from './projector.ts'

const logTables: Migration = {
  number: 1,
  name: 'log',
  sql: `
    CREATE TABLE record (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      topic TEXT NOT NULL,
      type TEXT NOT NULL,
      v INTEGER NOT NULL,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      agent TEXT,
      project TEXT,
      cause TEXT,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX record_topic ON record (topic, seq);
    CREATE TABLE topic (name TEXT PRIMARY KEY, floor INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
    CREATE TABLE cursor (reader TEXT, topic TEXT, position INTEGER NOT NULL, PRIMARY KEY (reader, topic)) STRICT;
  `,
}

/** The last record of an agent is looked up often, also if it is old. */
const agentIndex: Migration = {
  number: 4,
  name: 'records by agent',
  sql: 'CREATE INDEX record_agent ON record (agent, topic, seq)',
}

export interface Appended {
  seq: number
  isNew: boolean
}

/** A record whose id is known already is not written again: the answer is where it stands. */
export const append = (db: Database, record: AnyNewRecord): Appended => {
  const known = db.prepare('SELECT seq FROM record WHERE id = ?').get(record.id)
  if (known !== undefined) return { seq: Number(known.seq), isNew: false }
  const { lastInsertRowid: seq } = db
    .prepare(
      'INSERT INTO record (id, topic, type, v, at, actor, agent, project, cause, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      record.id,
      record.topic,
      record.type,
      record.v,
      record.at,
      JSON.stringify(record.actor),
      record.agent,
      record.project,
      record.cause,
      JSON.stringify(record.body),
    )
  db.prepare(
    'INSERT INTO topic (name, floor, last) VALUES (?, 0, ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last',
  ).run(record.topic, seq)
  return { seq, isNew: true }
}

interface Page {
  topic: string
  after: number
  limit: number
  /** A reader who knows that not all is there up to here gets what is kept of it. */
  knownFloor?: number
}

/** Records after a position; a position that was pruned, or that never was, is refused by name. */
export const readAfter = (db: Database, { topic, after, limit, knownFloor = 0 }: Page): AnyRecord[] => {
  const bounds = topicBounds(db, topic)
  if (after < bounds.floor && knownFloor < bounds.floor) {
    throw new ReinError(
      'cursor_expired',
      `Topic ${topic} begins after ${bounds.floor}; ${after} is gone.`,
      `Read on from ${bounds.floor}.`,
    )
  }
  if (after > bounds.last) {
    throw new ReinError(
      'cursor_ahead',
      `Topic ${topic} ends at ${bounds.last}; there is no ${after} yet.`,
      `Read on from ${bounds.last}.`,
    )
  }
  const rows = db
    .prepare('SELECT * FROM record WHERE topic = ? AND seq > ? ORDER BY seq LIMIT ?')
    .all(topic, after, limit)
  return rows.map(toRecord)
}

/** The records of a topic: everything after `floor`, up to `last`. */
export const topicBounds = (db: Database, topic: string): { floor: number; last: number } => {
  const row = db.prepare('SELECT floor, last FROM topic WHERE name = ?').get(topic)
  return { floor: Number(row?.floor ?? 0), last: Number(row?.last ?? 0) }
}

/** The newest records of a topic that concern one agent, oldest first. */
export const readNewest = (db: Database, topic: string, agent: string, limit: number): AnyRecord[] =>
  db
    .prepare('SELECT * FROM record WHERE topic = ? AND agent = ? ORDER BY seq DESC LIMIT ?')
    .all(topic, agent, limit)
    .map(toRecord)
    .toReversed()

/** The records of one agent in a topic from one record on, oldest first, without the end. */
export const readBetween = (db: Database, topic: string, agent: string, [from, end]: [number, number]): AnyRecord[] =>
  db
    .prepare('SELECT * FROM record WHERE topic = ? AND agent = ? AND seq >= ? AND seq < ? ORDER BY seq')
    .all(topic, agent, from, end)
    .map(toRecord)

interface Range {
  topics: readonly string[]
  agent: string | null
  /** Both ends are left out. */
  after: number
  before: number
}

/** Records of several topics in the order of the log, of one agent or of all: the first of a range, or the last. */
export const readRange = (
  db: Database,
  { topics, agent, after, before }: Range,
  limit: number,
  end: 'first' | 'last',
): AnyRecord[] => {
  const whose = agent === null ? 'topic = ?' : 'agent = ? AND topic = ?'
  const read = db.prepare(
    `SELECT * FROM record WHERE ${whose} AND seq > ? AND seq < ? ORDER BY seq ${end === 'first' ? 'ASC' : 'DESC'} LIMIT ?`,
  )
  const whom = agent === null ? [] : [agent]
  const rows = topics
    .flatMap((topic) => read.all(...whom, topic, after, before, limit))
    .toSorted((one, other) => Number(one.seq) - Number(other.seq))
  return (end === 'first' ? rows.slice(0, limit) : rows.slice(-limit)).map(toRecord)
}

/** How many records a range has, without reading them; counts no further than to `limit`. */
export const countRange = (db: Database, { topics, agent, after, before }: Range, limit: number): number => {
  const whose = agent === null ? 'topic = ?' : 'agent = ? AND topic = ?'
  const count = db.prepare(
    `SELECT count(*) AS found FROM (SELECT 1 FROM record WHERE ${whose} AND seq > ? AND seq < ? LIMIT ?)`,
  )
  const whom = agent === null ? [] : [agent]
  let found = 0
  for (const topic of topics) found += Number(count.get(...whom, topic, after, before, limit - found)?.found ?? 0)
  return found
}

/** The newest position of all topics, also if its record is gone. */
export const lastSeq = (db: Database): number =>
  Number(db.prepare('SELECT max(last) AS seq FROM topic').get()?.seq ?? 0)

/** The newest records of a topic whose body has this text somewhere, as JSON writes it. */
export const searchBodies = (
  db: Database,
  topic: string,
  { text, project }: { text: string; project: string | null },
  limit: number,
): AnyRecord[] => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
  return db
    .prepare(
      String.raw`SELECT * FROM record WHERE topic = ? AND (? IS NULL OR project = ?) AND body LIKE ? ESCAPE '\' ORDER BY seq DESC LIMIT ?`,
    )
    .all(topic, project, project, `%${escaped}%`, limit)
    .map(toRecord)
}

export const newestSeq = (db: Database, topic: string, agent: string): number =>
  Number(db.prepare('SELECT max(seq) AS seq FROM record WHERE topic = ? AND agent = ?').get(topic, agent)?.seq ?? 0)

/** Everything in order, in pages: what a rebuild replays. Null stands for a record that cannot be read. */
export function* readAll(db: Database, pageSize = 1000): Generator<{ seq: number; record: AnyRecord | null }> {
  let after = 0
  for (;;) {
    const rows = db.prepare('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?').all(after, pageSize)
    if (rows.length === 0) return
    for (const row of rows) yield { seq: Number(row.seq), record: recordOrNull(row) }
    after = Number(rows.at(-1)?.seq)
  }
}

export const readCursor = (db: Database, reader: string, topic: string): number =>
  Number(db.prepare('SELECT position FROM cursor WHERE reader = ? AND topic = ?').get(reader, topic)?.position ?? 0)

/** A cursor only moves forward. */
export const moveCursor = (db: Database, reader: string, topic: string, position: number): void =>
  void db
    .prepare(
      'INSERT INTO cursor (reader, topic, position) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET position = max(position, excluded.position)',
    )
    .run(reader, topic, position)

export interface Piece {
  topic: string
  /** Older ones may go. */
  before: number
  /** Where the last piece ended. */
  after: number
}

interface PrunedPiece {
  count: number
  /** Where the next piece begins; null if there is none. */
  next: number | null
}

/** Few enough that other writers do not wait for long. */
const pieceSize = 500

/**
 * Looks at one piece of a topic, up to the first record that is younger than `before`, and drops what `isSpare` says. The
 * floor is where nothing is missing any more: what is kept below it is needed, but is not the whole.
 */
export const prunePiece = (db: Database, { topic, before, after }: Piece, retention: Retention): PrunedPiece => {
  const rows = db
    .prepare('SELECT * FROM record WHERE topic = ? AND seq > ? ORDER BY seq LIMIT ?')
    .all(topic, after, pieceSize)
  const young = rows.findIndex(({ at }) => Number(at) >= before)
  const old = young === -1 ? rows : rows.slice(0, young)
  const remove = db.prepare('DELETE FROM record WHERE seq = ?')
  let count = 0
  for (const row of old) {
    if (recordOrNull(row) === null || !retention.isSpare(db, row, before)) continue
    retention.drop?.(db, row)
    remove.run(Number(row.seq))
    count += 1
  }
  const end = Number(old.at(-1)?.seq ?? 0)
  if (count > 0) db.prepare('UPDATE topic SET floor = max(floor, ?) WHERE name = ?').run(end, topic)
  return { count, next: old.length === pieceSize ? end : null }
}

/** Puts everything into the database itself: nothing of what was overwritten stays beside it. */
export const checkpoint = (db: Database): void => db.exec('PRAGMA wal_checkpoint(TRUNCATE)')

/** Gives so many free pages back to the disk, in a database that was made for it. */
export const giveBack = (db: Database, pages: number): void => db.exec(`PRAGMA incremental_vacuum(${pages})`)

/** Writes the whole database anew, without its free pages, so that from then on they can be given back piece by piece. */
export const compact = (db: Database): void => db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')

export interface Space {
  pages: number
  free: number
  isIncremental: boolean
}

export const spaceOf = (db: Database): Space => {
  const number = (pragma: string): number => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  return { pages: number('page_count'), free: number('freelist_count'), isIncremental: number('auto_vacuum') === 2 }
}

export const toRecord = (row: Row): AnyRecord => {
  const record = recordOrNull(row)
  if (record !== null) return record
  throw new ReinError(
    'storage_damaged',
    `Record ${row.seq} (${row.topic}) cannot be read.`,
    'Repair the database: rein daemon stop && rein daemon repair',
  )
}

const recordOrNull = (row: Row): AnyRecord | null => {
  upcast({ type: String(row.type), v: Number(row.v), seq: Number(row.seq) })
  try {
    return { ...row, actor: JSON.parse(String(row.actor)), body: JSON.parse(String(row.body)) } as unknown as AnyRecord
  } catch {
    return null
  }
}

export const logStore: StorePart = {
  migrations: [logTables, agentIndex],
}
