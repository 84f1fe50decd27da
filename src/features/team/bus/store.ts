import { type BusEvent, type EventPriority, eventPriorities } from '../../../contract/team.ts'
import type { Projector, StorePart } from '../../../base/log/projector.ts'
import { findIds, tailIndex } from '../../../base/store/find-ids.ts'
import type { Migration } from '../../../base/store/migrate.ts'
import type { Database, Row } from '../../../base/store/sqlite.ts'
import {
  type Closed,
  dedupKey,
  type EventItem,
  eventId,
  evolveEvent,
  isEventRecord,
  isOpen,
  pendingFor,
  rankOf,
  wakeAt,
} from './event.ts'

/** Pending rows are stored in reading order, and counted as they come and go, so that a flood of events slows no reader. */
const busTables: Migration = {
  number: 8,
  name: 'bus',
  sql: `
    CREATE TABLE bus_event (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      project TEXT NOT NULL,
      type TEXT NOT NULL,
      dedup TEXT,
      at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      is_open INTEGER NOT NULL,
      wake INTEGER,
      item TEXT NOT NULL
    ) STRICT;
    CREATE INDEX bus_event_project ON bus_event (project, seq);
    CREATE INDEX bus_event_done ON bus_event (project, seq) WHERE is_open = 0;
    CREATE INDEX bus_event_dedup ON bus_event (project, dedup, seq) WHERE dedup IS NOT NULL;
    CREATE INDEX bus_event_wake ON bus_event (wake) WHERE wake IS NOT NULL;
    CREATE TABLE bus_usage (project TEXT PRIMARY KEY, events INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
    CREATE TRIGGER bus_event_kept AFTER INSERT ON bus_event BEGIN
      INSERT INTO bus_usage (project, events, bytes) VALUES (new.project, 1, new.bytes)
        ON CONFLICT DO UPDATE SET events = events + 1, bytes = bytes + excluded.bytes;
    END;
    CREATE TRIGGER bus_event_pruned AFTER DELETE ON bus_event BEGIN
      UPDATE bus_usage SET events = events - 1, bytes = bytes - old.bytes WHERE project = old.project;
    END;
    CREATE TABLE bus_pending (
      project TEXT NOT NULL,
      member TEXT NOT NULL,
      priority INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      due INTEGER,
      PRIMARY KEY (project, member, priority, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bus_pending_type ON bus_pending (project, member, type, priority, seq);
    CREATE INDEX bus_pending_due ON bus_pending (project, member, due) WHERE due IS NOT NULL;
    CREATE TABLE bus_count (
      project TEXT NOT NULL,
      member TEXT NOT NULL,
      type TEXT NOT NULL,
      priority INTEGER NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (project, member, type, priority)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER bus_pending_came AFTER INSERT ON bus_pending BEGIN
      INSERT INTO bus_count (project, member, type, priority, n)
        VALUES (new.project, new.member, new.type, new.priority, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    END;
    CREATE TRIGGER bus_pending_went AFTER DELETE ON bus_pending BEGIN
      UPDATE bus_count SET n = n - 1
        WHERE project = old.project AND member = old.member AND type = old.type AND priority = old.priority;
      DELETE FROM bus_count
        WHERE project = old.project AND member = old.member AND type = old.type AND priority = old.priority AND n = 0;
    END;
  `,
}

export const busProjector: Projector = {
  name: 'bus',
  clear: (db) =>
    db.exec('DELETE FROM bus_event; DELETE FROM bus_usage; DELETE FROM bus_pending; DELETE FROM bus_count'),
  apply: (db, record) => {
    if (record.type === 'event.pruned') {
      // Open events stay, whatever the record says.
      const remove = db.prepare('DELETE FROM bus_event WHERE id = ? AND is_open = 0')
      for (const id of record.body.events) remove.run(id)
      return
    }
    if (!isEventRecord(record)) return
    const before = findEvent(db, eventId(record))
    const item = evolveEvent(before, record)
    if (item === undefined || item === before) return
    saveItem(db, item)
    const { event, seq } = item
    const rank = rankOf(event.priority)
    const rows = before === undefined ? [] : pendingRows(before)
    const wanted = pendingRows(item)
    const gone = db.prepare('DELETE FROM bus_pending WHERE project = ? AND member = ? AND priority = ? AND seq = ?')
    for (const member of rows) if (!wanted.includes(member)) gone.run(event.project, member, rank, seq)
    const come = db.prepare(
      'INSERT INTO bus_pending (project, member, priority, seq, type, due) VALUES (?, ?, ?, ?, ?, ?)',
    )
    for (const member of wanted)
      if (!rows.includes(member)) come.run(event.project, member, rank, seq, event.type, event.due)
  },
  /** `bus.retention_bytes` decides which events go; then their records are useless. */
  retention: {
    events: {
      isSpare: (db, { type, body }) => {
        if (type === 'event.pruned') return true
        const { event } = JSON.parse(String(body)) as { event: string | BusEvent }
        return findEvent(db, typeof event === 'string' ? event : event.id) === undefined
      },
    },
  },
}

const saveItem = (db: Database, item: EventItem): void => {
  const { event, seq } = item
  // The whole event counts: many empty payloads take space, too.
  const bytes = Buffer.byteLength(JSON.stringify(event))
  const state = [Number(isOpen(item)), wakeAt(item), JSON.stringify(item)] as const
  const { changes } = db
    .prepare('UPDATE bus_event SET is_open = ?, wake = ?, item = ? WHERE seq = ?')
    .run(...state, seq)
  if (changes > 0) return
  db.prepare(
    'INSERT INTO bus_event (is_open, wake, item, seq, id, project, type, dedup, at, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(...state, seq, event.id, event.project, event.type, dedupKey(event), event.at, bytes)
}

/** The member that stands for everyone in a project. */
const anybody = ''

const pendingRows = (item: EventItem): string[] => (isOpen(item) ? [anybody, ...pendingFor(item)] : [])

const toItem = (row: Row): EventItem => JSON.parse(String(row['item']))

const eventTails: Migration = { number: 19, name: 'short ids of events', sql: tailIndex('bus_event') }

export const eventsNamed = (db: Database, given: string): string[] => findIds(db, 'bus_event', given)

export const findEvent = (db: Database, id: string): EventItem | undefined => {
  const row = db.prepare('SELECT item FROM bus_event WHERE id = ?').get(id)
  return row === undefined ? undefined : toItem(row)
}

/** The last one of this key. */
export const findByDedup = (db: Database, project: string, dedup: string): EventItem | undefined => {
  const row = db
    .prepare('SELECT item FROM bus_event WHERE project = ? AND dedup = ? ORDER BY seq DESC LIMIT 1')
    .get(project, dedup)
  return row === undefined ? undefined : toItem(row)
}

/** The events of one member, or (null) of everyone in the project; after an earlier item, if given. */
interface PendingQuery {
  project: string
  member: string | null
  type?: string | undefined
  after?: EventItem | undefined
  limit: number
}

/** Pending events, most pressing first. */
export const pendingEvents = (db: Database, { project, member, type, after, limit }: PendingQuery): EventItem[] => {
  const position = after === undefined ? [-1, 0] : [rankOf(after.event.priority), after.seq]
  const values = [project, member ?? anybody, ...(type === undefined ? [] : [type]), ...position, limit]
  const sql = `SELECT e.item FROM bus_pending p CROSS JOIN bus_event e ON e.seq = p.seq
   WHERE p.project = ? AND p.member = ? ${type === undefined ? '' : 'AND p.type = ?'} AND (p.priority, p.seq) > (?, ?)
   ORDER BY p.priority, p.seq LIMIT ?`
  return db
    .prepare(sql)
    .all(...values)
    .map(toItem)
}

export type EventCounts = Record<EventPriority, number>

/** How many are pending of each priority: of this type, or of all. */
export const countPending = (
  db: Database,
  { project, member, type }: Pick<PendingQuery, 'project' | 'member' | 'type'>,
): EventCounts => {
  const rows = db
    .prepare('SELECT type, priority, n FROM bus_count WHERE project = ? AND member = ?')
    .all(project, member ?? anybody)
    .filter((row) => type === undefined || row['type'] === type)
  const counts: EventCounts = { critical: 0, high: 0, normal: 0, low: 0 }
  for (const row of rows) {
    const priority = eventPriorities[Number(row['priority'])]
    if (priority !== undefined) counts[priority] += Number(row['n'])
  }
  return counts
}

/** The log position of a member's newest pending event; 0 if there is none. */
export const newestPending = (db: Database, project: string, member: string): number => {
  const newest = db.prepare('SELECT max(seq) AS seq FROM bus_pending WHERE project = ? AND member = ? AND priority = ?')
  return Math.max(...eventPriorities.map((_, rank) => Number(newest.get(project, member, rank)?.['seq'] ?? 0)))
}

/** The newest kept events, done or not, oldest first, and how many more there are. */
export const keptEvents = (
  db: Database,
  project: string,
  type: string | null,
  limit: number,
): { events: EventItem[]; left: number } => {
  const events = db
    .prepare('SELECT item FROM bus_event WHERE project = ? AND (? IS NULL OR type = ?) ORDER BY seq DESC LIMIT ?')
    .all(project, type, type, limit)
    .map(toItem)
    .toReversed()
  const all = db
    .prepare('SELECT count(*) AS n FROM bus_event WHERE project = ? AND (? IS NULL OR type = ?)')
    .get(project, type, type)
  return { events, left: Number(all?.['n'] ?? 0) - events.length }
}

/** Events whose lease or deadline has passed. */
export const wakingEvents = (db: Database, now: number, limit: number): EventItem[] =>
  db.prepare('SELECT item FROM bus_event WHERE wake <= ? ORDER BY wake LIMIT ?').all(now, limit).map(toItem)

/** The next end of a lease, or deadline; null if there is none. */
export const nextWake = (db: Database): number | null => {
  const next = db.prepare('SELECT min(wake) AS wake FROM bus_event WHERE wake IS NOT NULL').get()?.['wake']
  return typeof next === 'number' ? next : null
}

/** The oldest done events, without those that can still have a duplicate. */
export const doneEvents = (db: Database, project: string, dedupBefore: number, limit: number): Closed[] =>
  db
    .prepare(
      'SELECT id, at, bytes FROM bus_event WHERE project = ? AND is_open = 0 AND (dedup IS NULL OR at <= ?) ORDER BY seq LIMIT ?',
    )
    .all(project, dedupBefore, limit)
    .map((row) => ({ id: String(row['id']), at: Number(row['at']), bytes: Number(row['bytes']) }))

interface Usage {
  events: number
  bytes: number
}

export const usageOf = (db: Database, project: string): Usage => {
  const row = db.prepare('SELECT events, bytes FROM bus_usage WHERE project = ?').get(project)
  return { events: Number(row?.['events'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
}

export interface BusStatus extends Usage {
  open: EventCounts
  overdue: number
  /** When the oldest open one was published. */
  oldestAt: number | null
  recipients: { member: string; pending: number; overdue: number }[]
}

export const busStatus = (db: Database, project: string, now: number): BusStatus => {
  const late = db
    .prepare('SELECT member, count(*) AS n FROM bus_pending WHERE project = ? AND due <= ? GROUP BY member')
    .all(project, now)
  const overdue = new Map(late.map((row) => [String(row['member']), Number(row['n'])]))
  const oldest = db.prepare('SELECT min(seq) AS seq FROM bus_pending WHERE project = ? AND member = ? AND priority = ?')
  const seqs = eventPriorities.flatMap((_, rank) => oldest.get(project, anybody, rank)?.['seq'] ?? [])
  const first = db.prepare('SELECT at FROM bus_event WHERE seq = ?')
  const recipients = db
    .prepare('SELECT member, sum(n) AS n FROM bus_count WHERE project = ? AND member <> ? GROUP BY member')
    .all(project, anybody)
    .map((row) => ({ member: String(row['member']), pending: Number(row['n']) }))
    .map((one) => ({ ...one, overdue: overdue.get(one.member) ?? 0 }))
  return {
    ...usageOf(db, project),
    open: countPending(db, { project, member: null }),
    overdue: overdue.get(anybody) ?? 0,
    oldestAt: seqs.length === 0 ? null : Number(first.get(Math.min(...seqs.map(Number)))?.['at']),
    recipients,
  }
}

export const busStore: StorePart = {
  migrations: [busTables, eventTails],
  projector: busProjector,
  json: { bus_event: ['item'] },
}
