import { ReinError } from '../contract/errors.ts'
import { type AnyNewRecord, type AnyRecord, upcast } from '../contract/record.ts'
import type { Migration } from '../store/migrate.ts'
import type { Database, Row } from '../store/sqlite.ts'

export const logTables: Migration = {
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

/** What one agent did last is looked up often, also for an agent that did nothing for long. */
export const agentIndex: Migration = {
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

export interface Page {
  topic: string
  after: number
  limit: number
}

/** Records after a position; a position that was pruned, or that never was, is refused by name. */
export const readAfter = (db: Database, { topic, after, limit }: Page): AnyRecord[] => {
  const bounds = topicBounds(db, topic)
  if (after < bounds.floor) {
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

/** What a topic holds: everything after `floor`, up to `last`. */
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

/** What a topic has of one agent from one record on, oldest first, without the end. */
export const readBetween = (db: Database, topic: string, agent: string, [from, end]: [number, number]): AnyRecord[] =>
  db
    .prepare('SELECT * FROM record WHERE topic = ? AND agent = ? AND seq >= ? AND seq < ? ORDER BY seq')
    .all(topic, agent, from, end)
    .map(toRecord)

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

/** Everything in order, in pages: what a rebuild replays. */
export function* readAll(db: Database, pageSize = 1000): Generator<AnyRecord> {
  let after = 0
  for (;;) {
    const rows = db.prepare('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?').all(after, pageSize)
    if (rows.length === 0) return
    for (const row of rows) yield toRecord(row)
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

/** Drops the beginning of a topic up to the first record that is younger than `before`. */
export const prune = (db: Database, topic: string, before: number): number => {
  const { last } = topicBounds(db, topic)
  const young = db.prepare('SELECT min(seq) AS seq FROM record WHERE topic = ? AND at >= ?').get(topic, before)?.seq
  const gone = db.prepare('SELECT max(seq) AS seq FROM record WHERE topic = ? AND seq < ?')
  const floor = young == null ? last : Number(gone.get(topic, young)?.seq ?? 0)
  db.prepare('UPDATE topic SET floor = max(floor, ?) WHERE name = ?').run(floor, topic)
  return db.prepare('DELETE FROM record WHERE topic = ? AND seq <= ?').run(topic, floor).changes
}

/** Puts everything into the database itself: nothing of what was overwritten stays beside it. */
export const checkpoint = (db: Database): void => db.exec('PRAGMA wal_checkpoint(TRUNCATE)')

export const toRecord = (row: Row): AnyRecord => {
  upcast({ type: String(row.type), v: Number(row.v), seq: Number(row.seq) })
  return { ...row, actor: JSON.parse(String(row.actor)), body: JSON.parse(String(row.body)) } as unknown as AnyRecord
}
