import type { AnyRecord } from '../../../contract/record.ts'
import { userMember } from '../../../contract/person.ts'
import { type NumberedPost, type Post, type Room, roomKey } from '../../../contract/team.ts'
import type { Projector, StorePart } from '../../../base/log/projector.ts'
import { readAfter } from '../../../base/log/store.ts'
import type { Migration } from '../../../base/store/migrate.ts'
import type { Database, Row } from '../../../base/store/sqlite.ts'
import { authorKey, type MemberState, type RoomState } from './room.ts'

/** An archived post keeps its row without the post: who wrote what number stays known. */
const roomTables: Migration = {
  number: 7,
  name: 'rooms',
  sql: `
    CREATE TABLE room (
      key TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      name TEXT NOT NULL,
      room TEXT NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      paused INTEGER NOT NULL,
      paused_until INTEGER,
      last_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX room_project ON room (project, name);
    CREATE TABLE post (
      room TEXT NOT NULL,
      n INTEGER NOT NULL,
      id TEXT NOT NULL UNIQUE,
      seq INTEGER NOT NULL,
      author TEXT NOT NULL,
      at INTEGER NOT NULL,
      post TEXT,
      UNIQUE (room, n)
    ) STRICT;
    CREATE TABLE room_member (
      member TEXT NOT NULL,
      room TEXT NOT NULL,
      n INTEGER NOT NULL,
      own INTEGER NOT NULL,
      PRIMARY KEY (member, room)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX room_members ON room_member (room);
    CREATE TABLE room_agent (
      project TEXT NOT NULL,
      agent TEXT NOT NULL,
      PRIMARY KEY (project, agent)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO room_agent SELECT project, id FROM agent;
    CREATE TABLE mention (
      agent TEXT NOT NULL,
      room TEXT NOT NULL,
      n INTEGER NOT NULL,
      post TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_pending INTEGER NOT NULL,
      PRIMARY KEY (agent, room, n)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mention_pending ON mention (seq) WHERE is_pending = 1;
    CREATE TABLE notice (agent TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
}

export const roomProjector: Projector = {
  name: 'rooms',
  clear: (db) =>
    db.exec(
      'DELETE FROM room; DELETE FROM post; DELETE FROM room_member; DELETE FROM room_agent; DELETE FROM mention; DELETE FROM notice',
    ),
  apply: (db, record) => {
    switch (record.type) {
      case 'chat.posted':
        return savePost(db, record.body.post, record.seq)
      case 'chat.read': {
        // Forward only, and never further than there is something.
        const { room, member, upTo } = record.body
        const last = db.prepare('SELECT last FROM room WHERE key = ?').get(room)?.['last']
        const n = Math.min(upTo, Number(last ?? 0))
        db.prepare(
          'UPDATE room_member SET n = ?, own = own - (SELECT count(*) FROM post WHERE post.room = room_member.room AND post.n > room_member.n AND post.n <= ? AND author = member) WHERE member = ? AND room = ? AND n < ?',
        ).run(n, n, member, room, n)
        return
      }
      case 'directive.accepted': {
        // An inbox has the mention, or a notice has told of everything so far.
        const { agent, origin } = record.body.directive
        if (origin === undefined) return
        if ('room' in origin)
          db.prepare('UPDATE mention SET is_pending = 0 WHERE agent = ? AND room = ? AND n = ?').run(
            agent.id,
            origin.room,
            origin.n,
          )
        if ('upTo' in origin)
          db.prepare(
            'INSERT INTO notice (agent, up_to) VALUES (?, ?) ON CONFLICT DO UPDATE SET up_to = max(up_to, excluded.up_to)',
          ).run(agent.id, origin.upTo)
        return
      }
      case 'agent.created': {
        // A later member reads from where it came in.
        const { id, project } = record.body.agent
        db.prepare('INSERT INTO room_agent (project, agent) VALUES (?, ?) ON CONFLICT DO NOTHING').run(project, id)
        db.prepare(
          'INSERT INTO room_member (member, room, n, own) SELECT ?, key, last, 0 FROM room WHERE project = ? ON CONFLICT DO NOTHING',
        ).run(id, project)
        return
      }
      default:
        return applyRoom(db, record)
    }
  },
}

/** The records about a room itself. */
const applyRoom = (db: Database, record: AnyRecord): void => {
  switch (record.type) {
    case 'room.created': {
      // All current members read it from its beginning.
      const { room } = record.body
      const key = roomKey(room.project, room.name)
      const { changes } = db
        .prepare(
          'INSERT INTO room (key, project, name, room, first, last, paused) VALUES (?, ?, ?, ?, 1, 0, 0) ON CONFLICT DO NOTHING',
        )
        .run(key, room.project, room.name, JSON.stringify(room))
      if (changes === 0) return
      db.prepare(
        'INSERT INTO room_member (member, room, n, own) SELECT agent, ?, 0, 0 FROM room_agent WHERE project = ? UNION ALL SELECT ?, ?, 0, 0',
      ).run(key, room.project, userMember, key)
      return
    }
    case 'room.paused': {
      const { room, isPaused, until } = record.body
      return void db
        .prepare('UPDATE room SET paused = ?, paused_until = ? WHERE key = ?')
        .run(Number(isPaused), isPaused ? until : null, room)
    }
    case 'room.archived': {
      const state = roomState(db, record.body.room)
      if (state === undefined) return
      const end = Math.min(record.body.upTo, state.last)
      db.prepare('UPDATE post SET post = NULL WHERE room = ? AND n >= ? AND n <= ?').run(state.key, state.first, end)
      db.prepare('UPDATE room SET first = max(first, ?) WHERE key = ?').run(end + 1, state.key)
      return
    }
    default:
  }
}

const savePost = (db: Database, post: Post, seq: number): void => {
  const { room, id, at } = post
  const author = authorKey(post.author)
  const placed = db
    .prepare(
      'INSERT INTO post (room, n, id, seq, author, at, post) SELECT key, last + 1, ?, ?, ?, ?, ? FROM room WHERE key = ? ON CONFLICT (id) DO NOTHING RETURNING n',
    )
    .get(id, seq, author, at, JSON.stringify(post), room)
  if (placed === undefined) return
  const n = Number(placed['n'])
  db.prepare('UPDATE room SET last = ?, last_at = ? WHERE key = ?').run(n, at, room)
  // An author need not read its own posts, but earlier ones that it has not read stay unread.
  db.prepare(
    'UPDATE room_member SET n = iif(n + own = ?, ?, n), own = iif(n + own = ?, 0, own + 1) WHERE member = ? AND room = ?',
  ).run(n - 1, n, n - 1, author, room)
  const mention = db.prepare(
    'INSERT INTO mention (agent, room, n, post, seq, is_pending) VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING',
  )
  for (const { agent, kind } of post.mentions) if (kind !== 'query') mention.run(agent.id, room, n, id, seq)
}

export const roomState = (db: Database, key: string): RoomState | undefined => {
  const row = db.prepare('SELECT * FROM room WHERE key = ?').get(key)
  return row === undefined ? undefined : toRoom(row)
}

export const hasRoom = (db: Database, key: string): boolean =>
  db.prepare('SELECT 1 FROM room WHERE key = ?').get(key) !== undefined

/** A room is never taken away again. */
export const presentRoom = (db: Database, key: string): RoomState => {
  const room = roomState(db, key)
  if (room === undefined) throw new Error(`There is no room ${key}.`)
  return room
}

/** The rooms of one project, or of all, by name. */
export const allRooms = (db: Database, project: string | null): RoomState[] => {
  const rows =
    project === null
      ? db.prepare('SELECT * FROM room ORDER BY project, name').all()
      : db.prepare('SELECT * FROM room WHERE project = ? ORDER BY name').all(project)
  return rows.map(toRoom)
}

/** Where a post is, and how many its room holds. */
interface Place {
  n: number
  seq: number
  held: number
}

const placeColumns = 'n, seq, last - first + 1 AS held'

export const placeOf = (db: Database, id: string): Place | undefined => {
  const row = db.prepare(`SELECT ${placeColumns} FROM post JOIN room ON key = post.room WHERE id = ?`).get(id)
  return row === undefined ? undefined : toPlace(row)
}

/** One by its id, also if it is archived. */
export const findPost = (db: Database, id: string): (Place & { post: NumberedPost }) | undefined => {
  const row = db.prepare(`SELECT ${placeColumns}, post FROM post JOIN room ON key = post.room WHERE id = ?`).get(id)
  if (row === undefined) return undefined
  const place = toPlace(row)
  const post = toPost(row)
  if (post !== undefined) return { ...place, post }
  // An archived post is still in the log.
  const [record] = readAfter(db, { topic: 'chats', after: place.seq - 1, limit: 1 })
  if (record?.type !== 'chat.posted') throw new Error(`Record ${place.seq} is no post.`)
  return { ...place, post: { ...record.body.post, n: place.n } }
}

/** One by its number; undefined if it is archived. */
export const postAt = (db: Database, room: string, n: number): NumberedPost | undefined => {
  const row = db.prepare('SELECT n, post FROM post WHERE room = ? AND n = ?').get(room, n)
  return row === undefined ? undefined : toPost(row)
}

/** The first one after a number that this member did not write. */
export const nextOfOthers = (db: Database, room: string, after: number, member: string): NumberedPost | undefined => {
  const row = db
    .prepare('SELECT n, post FROM post WHERE room = ? AND n > ? AND author <> ? ORDER BY n LIMIT 1')
    .get(room, after, member)
  return row === undefined ? undefined : toPost(row)
}

/** How many of the posts up to a number, after another, this member wrote. */
export const countOwn = (db: Database, room: string, member: string, after: number, upTo: number): number =>
  Number(
    db
      .prepare('SELECT count(*) AS n FROM post WHERE room = ? AND author = ? AND n > ? AND n <= ?')
      .get(room, member, after, upTo)?.['n'],
  )

/** The number of the last one after `after` that is older than this, else `after`. Looks no further back than it has to. */
export const lastBefore = (db: Database, room: string, at: number, after: number): number =>
  Number(
    db.prepare('SELECT n FROM post WHERE room = ? AND n > ? AND at < ? ORDER BY n DESC LIMIT 1').get(room, after, at)?.[
      'n'
    ] ?? after,
  )

const member =
  'SELECT member, n AS cursor, last - n - own AS unread FROM room_member JOIN room ON key = room_member.room WHERE room_member.room = ?'

export const memberState = (db: Database, room: string, who: string): MemberState | undefined => {
  const row = db.prepare(`${member} AND member = ?`).get(room, who)
  return row === undefined ? undefined : toMember(row)
}

export const membersOf = (db: Database, room: string): MemberState[] =>
  db.prepare(`${member} ORDER BY member`).all(room).map(toMember)

/** Unread posts of a member in each room of one project, or of all; rooms without any are left out. */
export const unreadCounts = (db: Database, who: string, project: string | null): Map<string, number> =>
  countByKey(
    db
      .prepare(
        'SELECT key, last - n - own AS count FROM room_member JOIN room ON key = room_member.room WHERE member = ? AND last > n + own AND (? IS NULL OR project = ?)',
      )
      .all(who, project, project),
  )

/** How many of these name it. */
export const unreadMentions = (db: Database, who: string, project: string | null): Map<string, number> =>
  countByKey(
    db
      .prepare(
        'SELECT key, count(*) AS count FROM room_member JOIN room ON key = room_member.room JOIN mention ON agent = member AND mention.room = key AND mention.n > room_member.n WHERE member = ? AND last > room_member.n + own AND (? IS NULL OR project = ?) GROUP BY key',
      )
      .all(who, project, project),
  )

/** The newest unread record in each room, without Rein's own posts and those in the member's inbox. */
export const newestUnread = (db: Database, who: string, project: string | null): Map<string, number> =>
  countByKey(
    db
      .prepare(
        "SELECT * FROM (SELECT key, (SELECT seq FROM post WHERE post.room = key AND post.n > room_member.n AND author NOT IN (?, 'daemon') AND NOT EXISTS (SELECT 1 FROM mention WHERE agent = member AND mention.room = key AND mention.n = post.n AND is_pending = 0) ORDER BY post.n DESC LIMIT 1) AS count FROM room_member JOIN room ON key = room_member.room WHERE member = ? AND last > n + own AND (? IS NULL OR project = ?)) WHERE count IS NOT NULL",
      )
      .all(who, who, project, project),
  )

/** Mentions that the agent was not told of and has not read; in order. */
export const pendingMentions = (db: Database): { agent: string; post: string }[] =>
  db
    .prepare(
      'SELECT mention.agent, post FROM mention JOIN room_member ON member = mention.agent AND room_member.room = mention.room LEFT JOIN notice ON notice.agent = mention.agent WHERE is_pending = 1 AND mention.n > room_member.n AND seq > coalesce(up_to, 0) ORDER BY seq',
    )
    .all()
    .map((row) => ({ agent: String(row['agent']), post: String(row['post']) }))

/** The newest record that an agent was told of by a notice; 0 if there was none. */
export const noticeUpTo = (db: Database, agent: string): number =>
  Number(db.prepare('SELECT up_to FROM notice WHERE agent = ?').get(agent)?.['up_to'] ?? 0)

const countByKey = (rows: readonly Row[]): Map<string, number> =>
  new Map(rows.map((row) => [String(row['key']), Number(row['count'])]))

const numberOrNull = (value: Row[string] | undefined): number | null => (value == null ? null : Number(value))

const toRoom = (row: Row): RoomState => ({
  ...(JSON.parse(String(row['room'])) as Room),
  key: String(row['key']),
  first: Number(row['first']),
  last: Number(row['last']),
  lastAt: numberOrNull(row['last_at']),
  isPaused: row['paused'] === 1,
  pausedUntil: numberOrNull(row['paused_until']),
})

const toMember = (row: Row): MemberState => ({
  member: String(row['member']),
  cursor: Number(row['cursor']),
  unread: Number(row['unread']),
})

const toPlace = (row: Row): Place => ({ n: Number(row['n']), seq: Number(row['seq']), held: Number(row['held']) })

const toPost = (row: Row): NumberedPost | undefined =>
  row['post'] === null ? undefined : { ...JSON.parse(String(row['post'])), n: Number(row['n']) }

export const roomStore: StorePart = {
  migrations: [roomTables],
  projector: roomProjector,
  json: { room: ['room'], post: ['post'] },
  readState: (db) => allRooms(db, null),
}
