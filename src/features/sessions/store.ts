import { createHash } from 'node:crypto'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { Move, Place, SnapshotCause } from '../../contract/session.ts'
import { wakeSentence } from '../../contract/wake.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'
import type { KnownMove } from './moves.ts'
import { labelFor } from './tree.ts'
import type { TakenSnapshot, Turn } from './turn.ts'

const sessionTables: Migration = {
  number: 10,
  name: 'sessions',
  sql: `
    CREATE TABLE session_conversation (
      conversation TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      transcript TEXT,
      from_conversation TEXT,
      from_turn TEXT,
      continued_at INTEGER NOT NULL,
      head TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_conversations ON session_conversation (session);
    CREATE TABLE session (
      id TEXT PRIMARY KEY,
      agent TEXT NOT NULL,
      project TEXT NOT NULL,
      turns INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      last_seq INTEGER NOT NULL,
      last_prompt TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX newest_sessions ON session (last_seq);
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
    CREATE INDEX turns_by_number ON session_turn (session, n, seq);
    CREATE TABLE session_snapshot (
      seq INTEGER PRIMARY KEY,
      conversation TEXT NOT NULL,
      cause TEXT NOT NULL,
      at INTEGER NOT NULL,
      is_clean INTEGER NOT NULL,
      root TEXT NOT NULL,
      snapshot TEXT NOT NULL,
      skipped TEXT NOT NULL
    ) STRICT;
    CREATE INDEX conversation_snapshots ON session_snapshot (conversation, at);
    CREATE INDEX root_snapshots ON session_snapshot (root, snapshot ->> '$.id');
    CREATE TABLE session_move (
      id TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      move TEXT NOT NULL,
      state TEXT NOT NULL,
      ended_at INTEGER,
      conversation TEXT,
      reason TEXT,
      found TEXT,
      files_stay INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_moves ON session_move (session, seq);
    CREATE INDEX agent_moves ON session_move (agent, seq);
  `,
}

const directiveShown = /<rein-directive id=\\?"(?<id>[^"\\\n]+)\\?"/

const tables = ['session_conversation', 'session', 'session_turn', 'session_snapshot', 'session_move']

const sessionProjector: Projector = {
  name: 'sessions',
  clear: (db) => db.exec(tables.map((table) => `DELETE FROM ${table};`).join('')),
  apply: (db, record) => {
    switch (record.type) {
      case 'agent.launched':
      case 'agent.conversation': {
        const { conversation, transcript } = record.body
        if (conversation === null) return
        conversationOf(db, conversation, record.agent ?? '')
        db.prepare(
          'UPDATE session_conversation SET transcript = coalesce(?, transcript), agent = ? WHERE conversation = ?',
        ).run(transcript, record.agent ?? '', conversation)
        return
      }
      case 'turn.started':
        return startTurn(db, record)
      case 'turn.entry': {
        const { conversation, turn, entry, role } = record.body
        // A stop hook of the user may keep the agent going: its next reply is then the end of the turn.
        if (role === 'assistant')
          db.prepare(
            'UPDATE session_turn SET leaf = ?, ended_at = ? WHERE conversation = ? AND turn = ? AND leaf IS NOT NULL',
          ).run(entry, record.at, conversation, turn)
        return nameTurn(db, record)
      }
      case 'turn.ended': {
        const { conversation, turn, leaf, reason, usage } = record.body
        db.prepare(
          'UPDATE session_turn SET ended_at = ?, leaf = ?, reason = ?, model = ?, cost = ? WHERE conversation = ? AND turn = ?',
        ).run(record.at, leaf, reason, usage?.model ?? null, usage?.costUsd ?? null, conversation, turn)
        return
      }
      default:
        return applySession(db, record)
    }
  },
  retention: {
    /** The tree stays: all prompts, and how each turn ended. */
    turns: {
      isSpare: (db, { type, seq, body }) =>
        type !== 'turn.started' && type !== 'turn.ended' && !(type === 'turn.entry' && isTreeEntry(db, seq, body)),
    },
    /** Records of dropped snapshots go with them; moves and bundles are few, and stay. */
    sessions: {
      isSpare: (db, { type, seq }) =>
        type === 'session.dropped' ||
        (type === 'session.snapshot' &&
          db.prepare('SELECT 1 FROM session_snapshot WHERE seq = ?').get(Number(seq)) === undefined),
    },
  },
}

/** The tree needs entries that came after the end of their turn (the new end), and those that named it by a directive. */
const isTreeEntry = (db: Database, seq: Row[string] | undefined, body: Row[string] | undefined): boolean => {
  const { conversation, turn, entry } = JSON.parse(String(body)) as LogRecord<'turn.entry'>['body']
  const ended = db.prepare('SELECT seq FROM record WHERE id = ?').get(`${conversation}:${turn}:turn.ended`)
  const { leaf } = db
    .prepare('SELECT leaf FROM session_turn WHERE conversation = ? AND turn = ?')
    .get(conversation, turn) ?? { leaf: null }
  return (ended !== undefined && Number(ended.seq) < Number(seq) && leaf === entry) || directiveShown.test(String(body))
}

const applySession = (db: Database, record: AnyRecord): void => {
  switch (record.type) {
    case 'session.snapshot': {
      const { conversation, cause, at, isClean, root, snapshot, skipped } = record.body
      db.prepare(
        'INSERT INTO session_snapshot (seq, conversation, cause, at, is_clean, root, snapshot, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(
        record.seq,
        conversation,
        cause,
        at,
        Number(isClean),
        root,
        JSON.stringify(snapshot),
        JSON.stringify(skipped),
      )
      return
    }
    case 'session.continued': {
      const { session, conversation, from } = record.body
      // The row may be there already: an agent has begun this conversation.
      db.prepare(
        'INSERT INTO session_conversation (conversation, session, agent, continued_at) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING',
      ).run(conversation, session, record.agent ?? '')
      db.prepare(
        'UPDATE session_conversation SET session = ?, from_conversation = ?, from_turn = ?, continued_at = ? WHERE conversation = ?',
      ).run(session, from.turn === null ? null : from.conversation, from.turn, record.at, conversation)
      return
    }
    case 'session.moving': {
      const { move } = record.body
      db.prepare(
        "INSERT INTO session_move (id, session, agent, seq, at, move, state) VALUES (?, ?, ?, ?, ?, ?, 'open') ON CONFLICT DO UPDATE SET move = excluded.move",
      ).run(move.id, move.session, move.agent.id, record.seq, record.at, JSON.stringify(move))
      return
    }
    case 'session.moved': {
      const end = { state: 'done', reason: null, found: null, filesStay: false } as const
      return endMove(db, record, { ...end, conversation: record.body.conversation })
    }
    case 'session.failed':
      return endMove(db, record, { ...record.body, state: 'failed', conversation: null })
    case 'session.dropped': {
      const drop = db.prepare("DELETE FROM session_snapshot WHERE root = ? AND snapshot ->> '$.id' = ?")
      for (const id of record.body.snapshots) drop.run(record.body.root, id)
      return
    }
    default:
  }
}

interface Conversation {
  session: string
  from: { conversation: string; turn: string } | null
  /** Older entries of its transcript belong to the conversation that it was copied from. */
  continuedAt: number
  head: string | null
}

const conversationOf = (db: Database, conversation: string, agent: string): Conversation => {
  const row = db.prepare('SELECT * FROM session_conversation WHERE conversation = ?').get(conversation)
  if (row === undefined) return beginConversation(db, conversation, agent)
  return {
    session: String(row['session']),
    from: placeOf(row['from_conversation'], row['from_turn']),
    continuedAt: Number(row['continued_at']),
    head: textOrNull(row['head']),
  }
}

/** After a rewind to before the first prompt, the agent's new conversation is a branch of the same session. */
const beginConversation = (db: Database, conversation: string, agent: string): Conversation => {
  const move = db
    .prepare(
      'SELECT id, session, state, conversation, move FROM session_move WHERE agent = ? ORDER BY seq DESC LIMIT 1',
    )
    .get(agent)
  const isAwaited =
    move?.['state'] === 'done' &&
    move['conversation'] === null &&
    (JSON.parse(String(move['move'])) as Move).part !== 'code'
  // A session is named after its first conversation.
  const session = isAwaited
    ? String(move['session'])
    : `ses_${createHash('sha256').update(conversation).digest('hex').slice(0, 12)}`
  db.prepare('INSERT INTO session_conversation (conversation, session, agent, continued_at) VALUES (?, ?, ?, 0)').run(
    conversation,
    session,
    agent,
  )
  if (isAwaited)
    db.prepare('UPDATE session_move SET conversation = ? WHERE id = ?').run(conversation, String(move['id']))
  return { session, from: null, continuedAt: 0, head: null }
}

const startTurn = (db: Database, record: LogRecord<'turn.started'>): void => {
  const { conversation, turn, prompt } = record.body
  const [agent, project] = [record.agent ?? '', record.project ?? '']
  const { session, from, continuedAt, head } = conversationOf(db, conversation, agent)
  const findTurn = db.prepare('SELECT n FROM session_turn WHERE conversation = ? AND turn = ?')
  if (record.at <= continuedAt || findTurn.get(conversation, turn) !== undefined) return
  const parent = head === null ? from : { conversation, turn: head }
  const n = Number(parent === null ? 0 : (findTurn.get(parent.conversation, parent.turn)?.['n'] ?? 0)) + 1
  db.prepare(
    'INSERT INTO session_turn (conversation, turn, session, n, parent_conversation, parent_turn, agent, project, prompt, started_at, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    conversation,
    turn,
    session,
    n,
    parent?.conversation ?? null,
    parent?.turn ?? null,
    agent,
    project,
    prompt,
    record.at,
    record.seq,
  )
  db.prepare('UPDATE session_conversation SET head = ? WHERE conversation = ?').run(turn, conversation)
  db.prepare(
    `INSERT INTO session VALUES (?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET agent = excluded.agent, turns = turns + 1,
      last_at = excluded.last_at, last_seq = excluded.last_seq, last_prompt = excluded.last_prompt`,
  ).run(session, agent, project, record.at, record.at, record.seq, prompt)
}

/** A turn that delivers a directive is named after the directive, not after the sentence that woke the agent. */
const nameTurn = (db: Database, { body: { conversation, turn, blocks } }: LogRecord<'turn.entry'>): void => {
  const context = blocks.find((block) => block.type === 'context' && directiveShown.test(block.text))
  if (context?.type !== 'context') return
  const id = directiveShown.exec(context.text)?.groups?.['id'] ?? ''
  const text = db.prepare("SELECT item ->> '$.directive.text' AS text FROM directive WHERE id = ?").get(id)?.['text']
  if (text == null) return
  const renamed = db
    .prepare('UPDATE session_turn SET prompt = ? WHERE conversation = ? AND turn = ? AND instr(prompt, ?) > 0')
    .run(text, conversation, turn, wakeSentence)
  if (renamed.changes > 0)
    db.prepare(
      'UPDATE session SET last_prompt = ? WHERE instr(last_prompt, ?) > 0 AND id = (SELECT session FROM session_turn WHERE conversation = ? AND turn = ?)',
    ).run(text, wakeSentence, conversation, turn)
}

const endMove = (
  db: Database,
  { at, body }: LogRecord<'session.moved'> | LogRecord<'session.failed'>,
  end: Pick<KnownMove, 'state' | 'conversation' | 'reason' | 'found' | 'filesStay'>,
): void =>
  void db
    .prepare(
      'UPDATE session_move SET state = ?, ended_at = ?, conversation = ?, reason = ?, found = ?, files_stay = ? WHERE id = ?',
    )
    .run(end.state, at, end.conversation, end.reason, end.found, Number(end.filesStay), body.move)

const placeOf = (conversation: Row[string] | undefined, turn: Row[string] | undefined) =>
  conversation == null || turn == null ? null : { conversation: String(conversation), turn: String(turn) }

/** In the order in which they began. */
export const turnsOf = (db: Database, session: string): Turn[] =>
  db.prepare('SELECT * FROM session_turn WHERE session = ? ORDER BY seq').all(session).map(toTurn)

/** The label of the turn at a place, without loading the whole tree. */
export const labelAt = (db: Database, { conversation, turn }: Place): string => {
  const row = db
    .prepare(
      `SELECT n, (SELECT count(*) FROM session_turn AS other WHERE other.session = one.session AND other.n = one.n AND other.seq < one.seq) AS others
      FROM session_turn AS one WHERE conversation = ? AND turn = ?`,
    )
    .get(conversation, turn)
  return row === undefined ? '0' : labelFor(Number(row['n']), Number(row['others']))
}

export const snapshotsOf = (db: Database, conversation: string): TakenSnapshot[] =>
  db.prepare('SELECT * FROM session_snapshot WHERE conversation = ? ORDER BY at, seq').all(conversation).map(toSnapshot)

/** The snapshots of one work tree, newest first. */
export const snapshotsAt = (db: Database, root: string): TakenSnapshot[] =>
  db.prepare('SELECT * FROM session_snapshot WHERE root = ? ORDER BY seq DESC').all(root).map(toSnapshot)

export const rootsOf = (db: Database): string[] =>
  db
    .prepare('SELECT DISTINCT root FROM session_snapshot')
    .all()
    .map((row) => String(row['root']))

export interface SessionRow {
  id: string
  /** The agent that began its newest turn. */
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
    .prepare('SELECT * FROM session WHERE (? IS NULL OR project = ?) ORDER BY last_seq DESC LIMIT ?')
    .all(project, project, limit)
    .map(toSession)

export const findSession = (db: Database, id: string): SessionRow | null => {
  const row = db.prepare('SELECT * FROM session WHERE id = ?').get(id)
  return row === undefined ? null : toSession(row)
}

/** The sessions whose id begins like this. */
export const sessionsNamed = (db: Database, prefix: string): string[] =>
  db
    .prepare('SELECT id FROM session WHERE id >= ? AND id < ? LIMIT ?')
    .all(prefix, `${prefix}~`, mostNamed)
    .map((row) => String(row['id']))

/** The id of each session, newest first. */
export const sessionIds = (db: Database): string[] =>
  db
    .prepare('SELECT id FROM session ORDER BY last_seq DESC')
    .all()
    .map((row) => String(row['id']))

/** As many as an error message lists. */
const mostNamed = 6

const toSession = (row: Row): SessionRow => ({
  id: String(row['id']),
  agent: String(row['agent']),
  project: String(row['project']),
  turns: Number(row['turns']),
  firstAt: Number(row['first_at']),
  lastAt: Number(row['last_at']),
  lastPrompt: String(row['last_prompt']),
})

export interface KnownConversation {
  conversation: string
  session: string
  agent: string
  transcript: string | null
  /** Its newest turn, or the one it was copied from; null is before the first. */
  place: Place
}

export const findConversation = (db: Database, conversation: string): KnownConversation | null => {
  const row = db.prepare('SELECT * FROM session_conversation WHERE conversation = ?').get(conversation)
  return row === undefined ? null : toConversation(row)
}

/** At most two conversations whose id begins with a prefix: enough to tell whether it is unique. */
export const conversationsLike = (db: Database, prefix: string): KnownConversation[] =>
  db
    .prepare('SELECT * FROM session_conversation WHERE conversation >= ? AND conversation < ? LIMIT ?')
    .all(prefix, `${prefix}~`, mostNamed)
    .map(toConversation)

export const conversationsOf = (db: Database, session: string): KnownConversation[] =>
  db.prepare('SELECT * FROM session_conversation WHERE session = ?').all(session).map(toConversation)

const toConversation = (row: Row): KnownConversation => {
  const conversation = String(row['conversation'])
  const head = textOrNull(row['head'])
  return {
    conversation,
    session: String(row['session']),
    agent: String(row['agent']),
    transcript: textOrNull(row['transcript']),
    place:
      head === null
        ? { conversation: textOrNull(row['from_conversation']) ?? conversation, turn: textOrNull(row['from_turn']) }
        : { conversation, turn: head },
  }
}

/** The session that an agent was moved in last. */
export const lastMovedIn = (db: Database, agent: string): string | null =>
  textOrNull(
    db.prepare('SELECT session FROM session_move WHERE agent = ? ORDER BY seq DESC LIMIT 1').get(agent)?.['session'],
  )

const selectMoves =
  'SELECT move.*, CASE WHEN json_valid(record.actor) THEN record.actor END AS actor FROM session_move AS move LEFT JOIN record ON record.seq = move.seq'

/** Oldest first. */
export const movesOf = (db: Database, session: string): KnownMove[] =>
  db.prepare(`${selectMoves} WHERE session = ? ORDER BY move.seq`).all(session).map(toMove)

export const allMoves = (db: Database): KnownMove[] => db.prepare(`${selectMoves} ORDER BY move.seq`).all().map(toMove)

const toMove = (row: Row): KnownMove => ({
  move: JSON.parse(String(row['move'])) as Move,
  actor: row['actor'] == null ? null : (JSON.parse(String(row['actor'])) as Actor),
  state: String(row['state']) as KnownMove['state'],
  at: Number(row['at']),
  endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
  conversation: textOrNull(row['conversation']),
  reason: textOrNull(row['reason']),
  found: textOrNull(row['found']),
  filesStay: row['files_stay'] === 1,
})

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
  seq: Number(row['seq']),
})

const textOrNull = (value: Row[string] | undefined): string | null => (value == null ? null : String(value))

const toSnapshot = (row: Row): TakenSnapshot => ({
  conversation: String(row['conversation']),
  cause: String(row['cause']) as SnapshotCause,
  at: Number(row['at']),
  isClean: row['is_clean'] === 1,
  root: String(row['root']),
  snapshot: JSON.parse(String(row['snapshot'])),
  skipped: JSON.parse(String(row['skipped'])),
})

export const sessionStore: StorePart = {
  migrations: [sessionTables],
  projector: sessionProjector,
  json: { session_snapshot: ['snapshot'], session_move: ['move'] },
  readState: allMoves,
}
