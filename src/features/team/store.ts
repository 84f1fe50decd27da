import { createHash } from 'node:crypto'
import type { Actor } from '../../contract/identity.ts'
import type { NumberedDecision, Watch } from '../../contract/team.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'

const teamTables: Migration = {
  number: 9,
  name: 'team',
  sql: `
    CREATE TABLE watch (agent TEXT PRIMARY KEY, watch TEXT NOT NULL) STRICT;
    CREATE TABLE control (
      agent TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      by TEXT NOT NULL,
      line TEXT NOT NULL,
      error TEXT,
      PRIMARY KEY (agent, seq)
    ) STRICT;
    CREATE TABLE decision (
      project TEXT NOT NULL,
      n INTEGER NOT NULL,
      id TEXT NOT NULL UNIQUE,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      decision TEXT NOT NULL,
      PRIMARY KEY (project, n)
    ) STRICT;
    CREATE TABLE checkpoint (
      event TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      bucket INTEGER NOT NULL,
      decisions INTEGER NOT NULL,
      at INTEGER NOT NULL,
      cause TEXT NOT NULL,
      is_handled INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX checkpoint_project ON checkpoint (project, decisions);
    CREATE TABLE checkin (room TEXT PRIMARY KEY, slot INTEGER NOT NULL, at INTEGER NOT NULL, cause TEXT NOT NULL) STRICT;
    CREATE TABLE voice (
      room TEXT NOT NULL,
      member TEXT NOT NULL,
      posted_at INTEGER NOT NULL,
      said TEXT NOT NULL,
      asked INTEGER NOT NULL,
      PRIMARY KEY (room, member)
    ) STRICT, WITHOUT ROWID;
  `,
}

export const teamProjector: Projector = {
  name: 'team',
  clear: (db) =>
    db.exec(
      'DELETE FROM watch; DELETE FROM control; DELETE FROM decision; DELETE FROM checkpoint; DELETE FROM checkin; DELETE FROM voice',
    ),
  apply: (db, record): void => {
    switch (record.type) {
      case 'watch.set':
        return void db
          .prepare('INSERT INTO watch (agent, watch) VALUES (?, ?) ON CONFLICT DO UPDATE SET watch = excluded.watch')
          .run(record.agent ?? '', JSON.stringify(record.body.watch))
      case 'control.line':
        return void db
          .prepare('INSERT INTO control (agent, seq, at, by, line, error) VALUES (?, ?, ?, ?, ?, ?)')
          .run(
            record.agent ?? '',
            record.seq,
            record.at,
            JSON.stringify(record.actor),
            record.body.line,
            record.body.error,
          )
      case 'decision.logged': {
        const { decision } = record.body
        // Numbered here, in the order of the log: a decision that could not be written leaves no gap.
        return void db
          .prepare(
            'INSERT INTO decision (project, n, id, seq, at, decision) SELECT ?, coalesce(max(n), 0) + 1, ?, ?, ?, ? FROM decision WHERE project = ? ON CONFLICT DO NOTHING',
          )
          .run(decision.project, decision.id, record.seq, decision.at, JSON.stringify(decision), decision.project)
      }
      case 'checkpoint.due': {
        const { event, bucket, decisions } = record.body
        return void db
          .prepare(
            'INSERT INTO checkpoint (event, project, bucket, decisions, at, cause, is_handled) VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING',
          )
          .run(event, record.project ?? '', bucket, decisions, record.at, record.cause ?? '')
      }
      case 'checkpoint.handled':
        return void db.prepare('UPDATE checkpoint SET is_handled = 1 WHERE event = ?').run(record.body.event)
      case 'checkin.asked': {
        const { room, slot, asked } = record.body
        db.prepare(
          'INSERT INTO checkin (room, slot, at, cause) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET slot = excluded.slot, at = excluded.at, cause = excluded.cause',
        ).run(room, slot, record.at, record.cause ?? '')
        const ask = db.prepare(
          "INSERT INTO voice (room, member, posted_at, said, asked) VALUES (?, ?, 0, '', 1) ON CONFLICT DO UPDATE SET asked = asked + 1",
        )
        for (const member of asked) ask.run(room, member)
        break
      }
      case 'chat.posted': {
        // A new post counts as an answer; the same words again do not.
        const { post } = record.body
        if (post.author.kind !== 'agent') break
        // The same for texts that differ only in case and space.
        const words = post.text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
        const said = createHash('sha256').update(words).digest('base64url').slice(0, 16)
        db.prepare(
          'INSERT INTO voice (room, member, posted_at, said, asked) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET asked = CASE said WHEN excluded.said THEN asked ELSE 0 END, said = excluded.said, posted_at = excluded.posted_at',
        ).run(post.room, post.author.id, post.at, said)
        break
      }
      default:
    }
  },
}

export const allWatches = (db: Database): Map<string, Watch> =>
  new Map(
    db
      .prepare('SELECT agent, watch FROM watch')
      .all()
      .map((row) => [String(row['agent']), JSON.parse(String(row['watch']))]),
  )

export interface ControlLine {
  line: string
  at: number
  by: Actor
  error: string | null
}

/** All control lines for this agent, oldest first. */
export const controlLines = (db: Database, agent: string): ControlLine[] =>
  db
    .prepare('SELECT * FROM control WHERE agent = ? ORDER BY seq')
    .all(agent)
    .map((row) => ({
      line: String(row['line']),
      at: Number(row['at']),
      by: JSON.parse(String(row['by'])),
      error: row['error'] === null ? null : String(row['error']),
    }))

export const findDecision = (db: Database, id: string): NumberedDecision | undefined => {
  const row = db.prepare('SELECT n, decision FROM decision WHERE id = ?').get(id)
  return row === undefined ? undefined : toDecision(row)
}

/** The newest of a project, newest first. */
export const newestDecisions = (db: Database, project: string, limit: number): NumberedDecision[] =>
  db
    .prepare('SELECT n, decision FROM decision WHERE project = ? ORDER BY n DESC LIMIT ?')
    .all(project, limit)
    .map(toDecision)

export const countDecisions = (db: Database, project: string): number =>
  Number(db.prepare('SELECT max(n) AS n FROM decision WHERE project = ?').get(project)?.['n'] ?? 0)

/** Projects in which something was decided. */
export const decidingProjects = (db: Database): string[] =>
  db
    .prepare('SELECT DISTINCT project FROM decision ORDER BY project')
    .all()
    .map((row) => String(row['project']))

/** When a decision of this number was made. */
export const decidedAt = (db: Database, project: string, n: number): number | null => {
  const at = db.prepare('SELECT at FROM decision WHERE project = ? AND n = ?').get(project, n)?.['at']
  return at == null ? null : Number(at)
}

const toDecision = (row: Row): NumberedDecision => ({ ...JSON.parse(String(row['decision'])), n: Number(row['n']) })

interface Checkpoint {
  event: string
  project: string
  bucket: number
  /** How many decisions there were. */
  decisions: number
  at: number
  /** Its cause. */
  cause: string
  /** Whether its command has ended. */
  isHandled: boolean
}

export const newestCheckpoint = (db: Database, project: string): Checkpoint | undefined =>
  toCheckpoint(db.prepare('SELECT * FROM checkpoint WHERE project = ? ORDER BY decisions DESC LIMIT 1').get(project))

export const findCheckpoint = (db: Database, event: string): Checkpoint | undefined =>
  toCheckpoint(db.prepare('SELECT * FROM checkpoint WHERE event = ?').get(event))

const toCheckpoint = (row: Row | undefined): Checkpoint | undefined =>
  row && {
    event: String(row['event']),
    project: String(row['project']),
    bucket: Number(row['bucket']),
    decisions: Number(row['decisions']),
    at: Number(row['at']),
    cause: String(row['cause']),
    isHandled: row['is_handled'] === 1,
  }

/** The last check-in of a room. */
export interface CheckIn {
  slot: number
  at: number
  cause: string
}

export const lastCheckIn = (db: Database, room: string): CheckIn | undefined => {
  const row = db.prepare('SELECT slot, at, cause FROM checkin WHERE room = ?').get(room)
  return row && { slot: Number(row['slot']), at: Number(row['at']), cause: String(row['cause']) }
}

/** The time of an agent's last post in a room, and how often it was asked since it said something new. */
export interface Voice {
  postedAt: number
  asked: number
}

export const voicesIn = (db: Database, room: string): Map<string, Voice> =>
  new Map(
    db
      .prepare('SELECT member, posted_at, asked FROM voice WHERE room = ?')
      .all(room)
      .map((row) => [String(row['member']), { postedAt: Number(row['posted_at']), asked: Number(row['asked']) }]),
  )

export const teamStore: StorePart = {
  migrations: [teamTables],
  projector: teamProjector,
  json: { watch: ['watch'], decision: ['decision'] },
  readState: allWatches,
}
