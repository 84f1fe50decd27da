import { createHash } from 'node:crypto'
import type { AnyRecord, LogRecord } from '../contract/record.ts'
import type { Rewind, SnapshotCause } from '../contract/session.ts'
import type { Projector } from '../log/projector.ts'
import type { Migration } from '../store/migrate.ts'
import type { Database, Row } from '../store/sqlite.ts'
import type { TakenSnapshot, Turn } from './turn.ts'

export const sessionTables: Migration = {
  number: 10,
  name: 'sessions',
  sql: `
    CREATE TABLE session_conversation (
      conversation TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      project TEXT NOT NULL,
      from_conversation TEXT,
      from_turn TEXT,
      inherited INTEGER NOT NULL,
      known INTEGER NOT NULL,
      head TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_of_agent ON session_conversation (agent);
    CREATE TABLE session_turn (
      conversation TEXT NOT NULL,
      turn TEXT NOT NULL,
      session TEXT NOT NULL,
      n INTEGER NOT NULL,
      parent_conversation TEXT,
      parent_turn TEXT,
      agent TEXT NOT NULL,
      project TEXT NOT NULL,
      prompt TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      leaf TEXT,
      reason TEXT,
      model TEXT,
      cost REAL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (conversation, turn)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_turns ON session_turn (session, seq);
    CREATE INDEX project_turns ON session_turn (project, seq);
    CREATE TABLE session_snapshot (
      seq INTEGER PRIMARY KEY,
      conversation TEXT NOT NULL,
      agent TEXT NOT NULL,
      cause TEXT NOT NULL,
      at INTEGER NOT NULL,
      root TEXT NOT NULL,
      snapshot TEXT NOT NULL,
      skipped TEXT NOT NULL
    ) STRICT;
    CREATE INDEX conversation_snapshots ON session_snapshot (conversation, at);
    CREATE TABLE rewind (
      id TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      rewind TEXT NOT NULL,
      state TEXT NOT NULL,
      conversation TEXT,
      reason TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_rewinds ON rewind (session, seq);
  `,
}

export const sessionProjector: Projector = {
  name: 'sessions',
  clear: (db) =>
    db.exec(
      'DELETE FROM session_conversation; DELETE FROM session_turn; DELETE FROM session_snapshot; DELETE FROM rewind',
    ),
  apply: (db, record) => {
    switch (record.type) {
      case 'turn.started':
        return startTurn(db, record)
      case 'turn.ended':
        return endTurn(db, record)
      default:
        return applySession(db, record)
    }
  },
}

const applySession = (db: Database, record: AnyRecord): void => {
  switch (record.type) {
    case 'session.snapshot':
      return saveSnapshot(db, record)
    case 'session.continued':
      return goOn(db, record)
    case 'session.rewinding':
      return beginRewind(db, record)
    case 'session.rewound':
      return endRewind(db, record.body.rewind, 'done', record.body.conversation, null)
    case 'session.failed':
      return endRewind(db, record.body.rewind, 'failed', null, record.body.reason)
    default:
  }
}

/** A session is named after its first conversation. */
export const sessionId = (conversation: string): string =>
  `ses_${createHash('sha256').update(conversation).digest('hex').slice(0, 12)}`

interface Conversation {
  session: string
  inherited: number
  known: number
  from: { conversation: string; turn: string } | null
  head: string | null
}

const conversationOf = (db: Database, conversation: string, agent: string, project: string): Conversation => {
  db.prepare(
    'INSERT INTO session_conversation (conversation, session, agent, project, inherited, known) VALUES (?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING',
  ).run(conversation, sessionId(conversation), agent, project)
  const row = db.prepare('SELECT * FROM session_conversation WHERE conversation = ?').get(conversation) as Row
  const from = placeOf(row['from_conversation'], row['from_turn'])
  return {
    session: String(row['session']),
    inherited: Number(row['inherited']),
    known: Number(row['known']),
    from,
    head: row['head'] === null ? null : String(row['head']),
  }
}

/** The first turns of a conversation that goes on from another one are that one's. */
const startTurn = (db: Database, record: LogRecord<'turn.started'>): void => {
  const { conversation, turn, prompt } = record.body
  const [agent, project] = [record.agent ?? '', record.project ?? '']
  const { session, inherited, known, from, head } = conversationOf(db, conversation, agent, project)
  db.prepare('UPDATE session_conversation SET known = known + 1 WHERE conversation = ?').run(conversation)
  if (known < inherited) return
  const parent = head === null ? from : { conversation, turn: head }
  const n = (parent === null ? 0 : depthOf(db, parent)) + 1
  const parents = [parent?.conversation ?? null, parent?.turn ?? null]
  db.prepare(
    'INSERT INTO session_turn (conversation, turn, session, n, parent_conversation, parent_turn, agent, project, prompt, started_at, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  ).run(conversation, turn, session, n, ...parents, agent, project, prompt, record.at, record.seq)
  db.prepare('UPDATE session_conversation SET head = ? WHERE conversation = ?').run(turn, conversation)
}

const depthOf = (db: Database, { conversation, turn }: { conversation: string; turn: string }): number =>
  Number(
    db.prepare('SELECT n FROM session_turn WHERE conversation = ? AND turn = ?').get(conversation, turn)?.['n'] ?? 0,
  )

const endTurn = (db: Database, { at, body }: LogRecord<'turn.ended'>): void => {
  const { conversation, turn, leaf, reason, usage } = body
  db.prepare(
    'UPDATE session_turn SET ended_at = ?, leaf = ?, reason = ?, model = ?, cost = ? WHERE conversation = ? AND turn = ?',
  ).run(at, leaf, reason, usage?.model ?? null, usage?.costUsd ?? null, conversation, turn)
}

const saveSnapshot = (db: Database, { seq, agent, body }: LogRecord<'session.snapshot'>): void => {
  const { conversation, cause, at, root, snapshot, skipped } = body
  db.prepare(
    'INSERT INTO session_snapshot (seq, conversation, agent, cause, at, root, snapshot, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(seq, conversation, agent ?? '', cause, at, root, JSON.stringify(snapshot), JSON.stringify(skipped))
}

const goOn = (db: Database, record: LogRecord<'session.continued'>): void => {
  const { conversation, from, inherited } = record.body
  const [agent, project] = [record.agent ?? '', record.project ?? '']
  const { session } = conversationOf(db, from.conversation, agent, project)
  conversationOf(db, conversation, agent, project)
  db.prepare(
    'UPDATE session_conversation SET session = ?, from_conversation = ?, from_turn = ?, inherited = ? WHERE conversation = ?',
  ).run(session, from.turn === null ? null : from.conversation, from.turn, inherited, conversation)
}

const beginRewind = (db: Database, { seq, at, body: { rewind } }: LogRecord<'session.rewinding'>): void =>
  void db
    .prepare(
      "INSERT INTO rewind (id, session, seq, at, rewind, state) VALUES (?, ?, ?, ?, ?, 'open') ON CONFLICT DO NOTHING",
    )
    .run(rewind.id, rewind.session, seq, at, JSON.stringify(rewind))

const endRewind = (
  db: Database,
  id: string,
  state: 'done' | 'failed',
  conversation: string | null,
  reason: string | null,
): void =>
  void db
    .prepare('UPDATE rewind SET state = ?, conversation = ?, reason = ? WHERE id = ?')
    .run(state, conversation, reason, id)

const placeOf = (conversation: Row[string] | undefined, turn: Row[string] | undefined) =>
  conversation == null || turn == null ? null : { conversation: String(conversation), turn: String(turn) }

export const turnsOf = (db: Database, session: string): Turn[] =>
  db.prepare('SELECT * FROM session_turn WHERE session = ? ORDER BY seq').all(session).map(toTurn)

export const snapshotsOf = (db: Database, conversation: string): TakenSnapshot[] =>
  db.prepare('SELECT * FROM session_snapshot WHERE conversation = ? ORDER BY at, seq').all(conversation).map(toSnapshot)

/** A session with its newest turn. */
export interface SessionRow {
  session: string
  agent: string
  project: string
  turns: number
  firstAt: number
  lastAt: number
  lastPrompt: string
}

/** Newest first. */
export const sessionsOf = (db: Database, project: string | null, limit: number): SessionRow[] =>
  db
    .prepare(
      'SELECT session, agent, project, count(*) AS turns, min(started_at) AS first_at, max(started_at) AS last_at, max(seq) AS seq, prompt FROM session_turn WHERE (? IS NULL OR project = ?) GROUP BY session ORDER BY seq DESC LIMIT ?',
    )
    .all(project, project, limit)
    .map((row) => ({
      session: String(row['session']),
      agent: String(row['agent']),
      project: String(row['project']),
      turns: Number(row['turns']),
      firstAt: Number(row['first_at']),
      lastAt: Number(row['last_at']),
      lastPrompt: String(row['prompt']),
    }))

export const rewindsOf = (
  db: Database,
  session: string,
): { rewind: Rewind; state: string; conversation: string | null }[] =>
  db
    .prepare('SELECT rewind, state, conversation FROM rewind WHERE session = ? ORDER BY seq')
    .all(session)
    .map((row) => ({
      rewind: JSON.parse(String(row['rewind'])) as Rewind,
      state: String(row['state']),
      conversation: row['conversation'] === null ? null : String(row['conversation']),
    }))

const toTurn = (row: Row): Turn => ({
  session: String(row['session']),
  conversation: String(row['conversation']),
  turn: String(row['turn']),
  n: Number(row['n']),
  parent: placeOf(row['parent_conversation'], row['parent_turn']),
  agent: String(row['agent']),
  prompt: String(row['prompt']),
  startedAt: Number(row['started_at']),
  endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
  leaf: textOrNull(row['leaf']),
  reason: textOrNull(row['reason']),
  model: textOrNull(row['model']),
  costUsd: row['cost'] === null ? null : Number(row['cost']),
})

const textOrNull = (value: Row[string] | undefined): string | null => (value == null ? null : String(value))

const toSnapshot = (row: Row): TakenSnapshot => ({
  conversation: String(row['conversation']),
  cause: String(row['cause']) as SnapshotCause,
  at: Number(row['at']),
  root: String(row['root']),
  snapshot: JSON.parse(String(row['snapshot'])),
})
