import type { ReceiptState } from '../contract/directive.ts'
import type { Projector } from '../log/projector.ts'
import type { Migration } from '../store/migrate.ts'
import type { Database, Row } from '../store/sqlite.ts'
import { directiveId, evolve, isDirectiveRecord, type Item } from './receipt.ts'

export const inboxTables: Migration = {
  number: 2,
  name: 'inbox',
  sql: `
    CREATE TABLE directive (
      id TEXT PRIMARY KEY,
      agent TEXT NOT NULL,
      state TEXT NOT NULL,
      seq INTEGER NOT NULL,
      item TEXT NOT NULL
    ) STRICT;
    CREATE INDEX directive_agent ON directive (agent, state);
  `,
}

export const inboxProjector: Projector = {
  name: 'inbox',
  clear: (db) => db.exec('DELETE FROM directive'),
  apply: (db, record) => {
    if (!isDirectiveRecord(record)) return
    const item = evolve(findItem(db, directiveId(record)), record)
    if (item !== undefined) save(db, item)
  },
}

const save = (db: Database, item: Item): void =>
  void db
    .prepare(
      'INSERT INTO directive (id, agent, state, seq, item) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, item = excluded.item',
    )
    .run(item.directive.id, item.directive.agent.id, item.state, item.seq, JSON.stringify(item))

const toItem = (row: Row): Item => JSON.parse(String(row.item))

export const findItem = (db: Database, id: string): Item | undefined => {
  const row = db.prepare('SELECT item FROM directive WHERE id = ?').get(id)
  return row === undefined ? undefined : toItem(row)
}

export const openItems = (db: Database): Item[] =>
  db
    .prepare("SELECT item FROM directive WHERE state NOT IN ('acked', 'expired', 'cancelled', 'failed') ORDER BY seq")
    .all()
    .map(toItem)

export const itemsOf = (db: Database, agent: string | null, limit: number): Item[] =>
  db
    .prepare('SELECT item FROM directive WHERE ? IS NULL OR agent = ? ORDER BY seq DESC LIMIT ?')
    .all(agent, agent, limit)
    .map(toItem)
    .toReversed()

export const countStates = (db: Database, agent: string): Map<ReceiptState, number> => {
  const rows = db.prepare('SELECT state, count(*) AS n FROM directive WHERE agent = ? GROUP BY state').all(agent)
  return new Map(rows.map((row) => [String(row.state) as ReceiptState, Number(row.n)]))
}
