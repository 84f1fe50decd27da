import type { ReceiptState } from '../../contract/directive.ts'
import { isDirectiveRecord } from '../../contract/receipt-steps.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import { findIds, tailIndex } from '../../base/store/find-ids.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'
import { directiveId, evolve, isClosed, type Item } from './receipt.ts'

const inboxTables: Migration = {
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

/** Which ones are open depends on more than their state. */
const openDirectives: Migration = {
  number: 5,
  name: 'open directives',
  sql: `
    ALTER TABLE directive ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1;
    UPDATE directive SET is_open = 0 WHERE state IN ('acked', 'expired', 'cancelled', 'failed');
    CREATE INDEX directive_open ON directive (is_open, seq);
  `,
}

const directiveTails: Migration = { number: 17, name: 'short ids of directives', sql: tailIndex('directive') }

export const inboxProjector: Projector = {
  name: 'inbox',
  clear: (db) => db.exec('DELETE FROM directive'),
  apply: (db, record) => {
    if (!isDirectiveRecord(record)) return
    const item = evolve(findItem(db, directiveId(record)), record)
    if (item === undefined) return
    const { id, agent } = item.directive
    db.prepare(
      'INSERT INTO directive (id, agent, state, is_open, seq, item) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, is_open = excluded.is_open, item = excluded.item',
    ).run(id, agent.id, item.state, Number(!isClosed(item)), item.seq, JSON.stringify(item))
  },
  retention: {
    directives: {
      isSpare: (db, row, before) => {
        const item = findItem(db, directiveOf(row))
        if (item === undefined) return true
        const { origin } = item.directive
        // A room knows by its directive what it has told; it would tell it again.
        const isOfRoom = origin !== undefined && ('room' in origin || 'upTo' in origin)
        return isClosed(item) && !isOfRoom && (item.steps.at(-1)?.at ?? before) < before
      },
      drop: (db, row) => void db.prepare('DELETE FROM directive WHERE id = ?').run(directiveOf(row)),
    },
  },
}

const directiveOf = ({ type, cause, body }: Row): string =>
  type === 'directive.accepted'
    ? (JSON.parse(String(body)) as { directive: { id: string } }).directive.id
    : String(cause)

const toItem = (row: Row): Item => JSON.parse(String(row.item))

export const findItem = (db: Database, id: string): Item | undefined => {
  const row = db.prepare('SELECT item FROM directive WHERE id = ?').get(id)
  return row === undefined ? undefined : toItem(row)
}

/** The directives of one database. */
export interface StoredDirectives {
  /** All that are open. */
  load(): Item[]
  find(id: string): Item | undefined
}

export const storedDirectives = (db: Database): StoredDirectives => ({
  load: () => openItems(db),
  find: (id) => findItem(db, id),
})

export const directivesNamed = (db: Database, given: string): string[] => findIds(db, 'directive', given)

export const openItems = (db: Database): Item[] =>
  db.prepare('SELECT item FROM directive WHERE is_open = 1 ORDER BY seq').all().map(toItem)

export const itemsOf = (
  db: Database,
  { agent, project }: { agent: string | null; project: string | null },
  limit: number,
): Item[] =>
  db
    .prepare(
      `SELECT item FROM directive
       WHERE (? IS NULL OR agent = ?) AND (? IS NULL OR item ->> '$.directive.agent.project' = ?)
       ORDER BY seq DESC LIMIT ?`,
    )
    .all(agent, agent, project, project, limit)
    .map(toItem)
    .toReversed()

/** What Rein itself says without pressing: it waits for the agent's next turn, and wakes nobody. */
export const countNotices = (db: Database, agent: string): number => {
  const row = db
    .prepare(
      `SELECT count(*) AS n FROM directive WHERE agent = ? AND state = 'queued' AND CASE
         WHEN item -> '$.directive.origin' IS NULL
         THEN item ->> '$.directive.sender.kind' = 'daemon' AND item ->> '$.directive.priority' IN ('low', 'normal')
         ELSE item ->> '$.directive.origin.by' = 'rein' AND NOT item ->> '$.directive.origin.isPressing' END`,
    )
    .get(agent)
  return Number(row?.n ?? 0)
}

/** What is open for an agent in each state, and how much it has acknowledged. */
export const countStates = (db: Database, agent: string): Map<ReceiptState, number> => {
  const rows = db
    .prepare(
      "SELECT state, count(*) AS n FROM directive WHERE agent = ? AND (is_open = 1 OR state = 'acked') GROUP BY state",
    )
    .all(agent)
  return new Map(rows.map((row) => [String(row.state) as ReceiptState, Number(row.n)]))
}

export const inboxStore: StorePart = {
  migrations: [inboxTables, openDirectives, directiveTails],
  projector: inboxProjector,
  json: { directive: ['item'] },
  readState: openItems,
}
