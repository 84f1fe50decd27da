import type { Lease, LeaseEnd } from '../../contract/lease.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'

const leaseTables: Migration = {
  number: 13,
  name: 'leases',
  sql: `
    CREATE TABLE lease (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      at INTEGER NOT NULL,
      until INTEGER NOT NULL,
      set_at INTEGER NOT NULL,
      ended_at INTEGER,
      ended TEXT,
      lease TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX lease_project ON lease (project, at);
    CREATE INDEX lease_open ON lease (at) WHERE ended_at IS NULL;
  `,
}

export const leaseProjector: Projector = {
  name: 'leases',
  clear: (db) => db.exec('DELETE FROM lease'),
  apply: (db, { type, body, at }) => {
    if (type === 'lease.taken') {
      const { id, project, at: takenAt, until } = body.lease
      db.prepare(
        'INSERT INTO lease (id, project, at, until, set_at, lease) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ).run(id, project, takenAt, until, at, JSON.stringify(body.lease))
    }
    if (type === 'lease.renewed') {
      db.prepare('UPDATE lease SET until = ?, set_at = ? WHERE id = ?').run(body.until, at, body.lease)
      if (body.why !== undefined)
        db.prepare("UPDATE lease SET lease = json_set(lease, '$.why', ?) WHERE id = ?").run(body.why, body.lease)
    }
    if (type === 'lease.ended')
      db.prepare('UPDATE lease SET ended_at = ?, ended = ? WHERE id = ? AND ended_at IS NULL').run(
        at,
        body.why,
        body.lease,
      )
  },
  retention: {
    leases: {
      isSpare: (db, row, before) => {
        const lease = db.prepare('SELECT ended_at FROM lease WHERE id = ?').get(leaseOf(row))
        return lease === undefined || (lease['ended_at'] != null && Number(lease['ended_at']) < before)
      },
      drop: (db, row) => void db.prepare('DELETE FROM lease WHERE id = ?').run(leaseOf(row)),
    },
  },
}

const leaseOf = ({ body }: Row): string => {
  const { lease } = JSON.parse(String(body)) as { lease: string | Lease }
  return typeof lease === 'string' ? lease : lease.id
}

/** A lease that is or was held. */
export interface KeptLease {
  lease: Lease
  /** When it was taken or renewed last. */
  setAt: number
  ended: { at: number; why: LeaseEnd } | null
}

const toKept = (row: Row): KeptLease => ({
  lease: { ...(JSON.parse(String(row['lease'])) as Lease), until: Number(row['until']) },
  setAt: Number(row['set_at']),
  ended: row['ended_at'] === null ? null : { at: Number(row['ended_at']), why: String(row['ended']) as LeaseEnd },
})

/** The open leases, oldest first. */
export const openLeases = (db: Database): KeptLease[] =>
  db.prepare('SELECT * FROM lease WHERE ended_at IS NULL ORDER BY at, id').all().map(toKept)

/** The ended leases of one project, newest first. */
export const endedLeases = (db: Database, project: string, limit: number): KeptLease[] =>
  db
    .prepare('SELECT * FROM lease WHERE project = ? AND ended_at IS NOT NULL ORDER BY at DESC, id DESC LIMIT ?')
    .all(project, limit)
    .map(toKept)

export const leaseStore: StorePart = {
  migrations: [leaseTables],
  projector: leaseProjector,
  json: { lease: ['lease'] },
  readState: openLeases,
}
