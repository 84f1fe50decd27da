import { manifest } from '../../../contract/manifest.ts'
import type { StorePart } from '../projector.ts'
import type { Migration } from '../../store/migrate.ts'
import { type Database, type Row, transaction } from '../../store/sqlite.ts'
import type { RawRecord, Scan } from './scan.ts'

/** Records that could not be read are set aside here; a repair looks for them in the daily copy. */
const damagedTable: Migration = {
  number: 16,
  name: 'damaged records',
  sql: `
    CREATE TABLE damaged_record (
      seq INTEGER PRIMARY KEY,
      topic TEXT NOT NULL,
      found INTEGER NOT NULL,
      type TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
  `,
}

/** The faults that SQLite finds in the file itself: trees, pages, and indexes that do not fit their tables. */
export const structuralFaults = (db: Database, limit = 50): string[] => {
  const rows = db.prepare(`PRAGMA integrity_check(${limit})`).all()
  const lines = rows.flatMap((row) => Object.values(row).map(String))
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines
}

export const hasLog = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'record'").get() !== undefined

const typeList = Object.keys(manifest)
  .map((type) => `'${type}'`)
  .join(', ')

/** Records that cannot be read. An unknown type counts only where no newer Rein can have written it. */
export const unreadableRecords = (db: Database, isTypeKnown: boolean): DamagedRecord[] =>
  db
    .prepare(
      `SELECT seq, topic FROM record WHERE NOT (json_valid(actor) AND json_valid(body)) ${isTypeKnown ? `OR type NOT IN (${typeList})` : ''}`,
    )
    .all()
    .map(toDamaged)

export interface DamagedRecord {
  seq: number
  topic: string
}

const toDamaged = (row: Row): DamagedRecord => ({ seq: Number(row.seq), topic: String(row.topic) })

/** Moves records out of the log, so that readers get past them, and keeps them. */
export const setAside = (db: Database, seqs: readonly number[], now: number): void => {
  const keep = db.prepare(
    'INSERT OR REPLACE INTO damaged_record (seq, topic, found, type, body) SELECT seq, topic, ?, type, body FROM record WHERE seq = ?',
  )
  const drop = db.prepare('DELETE FROM record WHERE seq = ?')
  for (const seq of seqs) {
    keep.run(now, seq)
    drop.run(seq)
  }
}

export const damagedRecords = (db: Database): DamagedRecord[] =>
  db.prepare('SELECT seq, topic FROM damaged_record ORDER BY seq').all().map(toDamaged)

/** Their words cannot be looked through, so all that are there by then go when something is forgotten. */
export const dropDamaged = (db: Database, at: number): void =>
  void db.prepare('DELETE FROM damaged_record WHERE found <= ?').run(at)

/** Whether a column that holds JSON has something else: by table and column. */
export const brokenState = (db: Database, columns: readonly (readonly [string, string])[]): string[] =>
  columns.flatMap(([table, column]) =>
    db.prepare(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column}) LIMIT 1`).get() ===
    undefined
      ? []
      : [table],
  )

const insertSql =
  'INSERT OR IGNORE INTO record (seq, id, topic, type, v, at, actor, agent, project, cause, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

/** One whose number or id is there already is left out. */
export const putRecords = (db: Database, records: readonly RawRecord[]): void =>
  transaction(db, () => {
    const insert = db.prepare(insertSql)
    for (const { seq, columns } of records) insert.run(seq, ...columns)
  })

/** A page of another database's records, as they are. */
export const rawRecordsAfter = (db: Database, after: number, limit: number): RawRecord[] =>
  db
    .prepare('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?')
    .all(after, limit)
    .map(({ seq, ...row }) => ({
      seq: Number(seq),
      topic: String(row.topic),
      columns: ['id', 'topic', 'type', 'v', 'at', 'actor', 'agent', 'project', 'cause', 'body'].map(
        (name) => row[name] ?? null,
      ),
    }))

type Positions = Pick<Scan, 'floors' | 'cursors' | 'last'>

/** How far topics and readers have come, as the tables of a sound database say. */
export const readPositions = (db: Database): Positions => ({
  floors: new Map(
    db
      .prepare('SELECT name, floor FROM topic')
      .all()
      .map(({ name, floor }) => [String(name), Number(floor)]),
  ),
  cursors: db
    .prepare('SELECT reader, topic, position FROM cursor')
    .all()
    .map((row) => ({ reader: String(row.reader), topic: String(row.topic), position: Number(row.position) })),
  last: Number(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'record'").get()?.seq ?? 0),
})

/** Puts in how far topics and readers have come. No number is given out twice: what `last` says was given out stays so. */
export const putPositions = (db: Database, { floors, cursors, last }: Positions): void =>
  transaction(db, () => {
    db.exec('DELETE FROM topic; INSERT INTO topic SELECT topic, 0, max(seq) FROM record GROUP BY topic')
    const setFloor = db.prepare(
      'INSERT INTO topic VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET floor = excluded.floor, last = max(last, excluded.floor)',
    )
    for (const [topic, floor] of floors) setFloor.run(topic, floor, floor)
    const setCursor = db.prepare(
      'INSERT INTO cursor VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET position = max(position, excluded.position)',
    )
    for (const { reader, topic, position } of cursors) setCursor.run(reader, topic, position)
    db.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'record'").run(last)
  })

/** A complete, compact copy of the committed state, in an empty file. Others can read and write in the meantime. */
export const copyInto = (db: Database, file: string): void => void db.prepare('VACUUM INTO ?').run(file)

export const damageStore: StorePart = {
  migrations: [damagedTable],
}
