import { expect, onTestFinished, test } from 'vitest'
import { aDirective, agentRef, anAgent, aRecord, now, person, tempDir } from '../../../../test/support/builders.ts'
import { emptyDatabase, startLog } from '../../../../test/support/in-process-log.ts'
import { actorOf, say, saying, startRooms, type TestRooms } from '../../../../test/support/rooms-harness.ts'
import { agentProjector } from '../../../agents/state/store.ts'
import type { Origin } from '../../../contract/directive.ts'
import type { AgentRef } from '../../../contract/identity.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import type { NumberedPost, Post } from '../../../contract/team.ts'
import { migrations } from '../../../daemon/schema.ts'
import { LogWriter } from '../../../base/log/writer.ts'
import { migrate } from '../../../base/store/migrate.ts'
import { type Database, openDatabase } from '../../../base/store/sqlite.ts'
import { Rooms } from './rooms.ts'
import { membersOf, newestUnread, noticeUpTo, pendingMentions, placeOf, unreadMentions } from './store.ts'

const accepted = (agent: AgentRef, origin: Origin): AnyNewRecord =>
  aRecord('directive.accepted', { directive: aDirective({ agent, origin }) })
const told = (agent: AgentRef, { room, id, n, author, at }: NumberedPost): AnyNewRecord =>
  accepted(agent, { room, post: id, n, author, at })
/** Who is still to be told of which message. */
const pending = ({ db }: TestRooms): string[] =>
  pendingMentions(db).map(({ agent, post }) => `${agent} ${placeOf(db, post)?.n}`)

test('a mention waits until an inbox has it, or the agent has read it', async () => {
  const world = startRooms()
  const build = await world.room()
  const [ann, bob] = [await world.agent('ann'), await world.agent('bob')]
  await say(world, ['@ann and @bob!', 'nobody', '@ann?', '@bob'])
  const [first] = world.posted
  if (first === undefined) throw new Error('nothing was posted')
  expect(pending(world)).toEqual([`${ann.id} 1`, `${bob.id} 1`, `${bob.id} 4`])
  await world.append([told(ann, first.post)])
  expect(pending(world)).toEqual([`${bob.id} 1`, `${bob.id} 4`])
  await world.append([told(bob, first.post)])
  expect(pending(world)).toEqual([`${bob.id} 4`])
  world.rebuild()
  await world.rooms.archive(build, 0, person)
  expect(pending(world)).toEqual([`${bob.id} 4`])
  await world.rooms.moveCursor(build, bob.id, 4, actorOf(bob))
  expect(pending(world)).toEqual([])
})

test('how many unread posts name somebody', async () => {
  const world = startRooms()
  const [ann, bob] = [await world.agent('ann'), await world.agent('bob')]
  const build = await world.room()
  await world.room('other')
  await say(world, ['@ann', '@ann! @ann', '@ann?', '@all', 'nobody'])
  await world.rooms.post(saying('@bob', person, { name: 'other' }))
  expect(unreadMentions(world.db, ann.id, null)).toEqual(new Map([[build.key, 3]]))
  expect(unreadMentions(world.db, bob.id, build.project).size).toBe(2)
  expect(unreadMentions(world.db, bob.id, 'other-1').size).toBe(0)
  await world.rooms.moveCursor(build, ann.id, 2, actorOf(ann))
  expect(unreadMentions(world.db, ann.id, null)).toEqual(new Map([[build.key, 1]]))
})

test('the newest post that somebody has not read, but for its own and those of Rein', async () => {
  const world = startRooms()
  const build = await world.room()
  const ann = await world.agent('ann')
  const newest = () => newestUnread(world.db, ann.id, null)
  await say(world, ['asked by Rein'], { kind: 'daemon' })
  expect(newest().size).toBe(0)
  await say(world, ['one', 'two'])
  await say(world, ['mine'], actorOf(ann))
  await say(world, ['answered by Rein'], { kind: 'daemon' })
  expect(newest()).toEqual(new Map([[build.key, world.posted[2]?.seq]]))
  await world.rooms.moveCursor(build, ann.id, 3, actorOf(ann))
  expect(newest().size).toBe(0)
})

test('how far an agent was told by notices', async () => {
  const world = startRooms()
  const ann = await world.agent('ann')
  const notice = (upTo: number): AnyNewRecord => accepted(ann, { upTo, by: 'agent', isPressing: false, about: [] })
  expect(noticeUpTo(world.db, ann.id)).toBe(0)
  await world.append([notice(7), { ...notice(5), id: 'rec_late' }])
  expect(noticeUpTo(world.db, ann.id)).toBe(7)
})

test('an agent that is written down twice joins once', async () => {
  const world = startRooms()
  const build = await world.room()
  await world.agent('ann')
  await say(world, ['one'])
  await world.agent('ann')
  expect(membersOf(world.db, build.key)[0]).toMatchObject({ cursor: 0, unread: 1 })
})

test('a post in a room that is not there, or with a known id, is none', async () => {
  const world = startRooms()
  const build = await world.room()
  const post: Post = {
    id: 'post_1',
    room: build.key,
    author: person,
    text: 'x',
    at: now,
    mentions: [],
    kind: 'message',
  }
  const posting = (given: Partial<Post>): AnyNewRecord => aRecord('chat.posted', { post: { ...post, ...given } })
  await world.append([posting({}), posting({ text: 'y' }), posting({ id: 'post_2', room: 'no/where' })])
  expect(world.rooms.get(build.project, build.name).last).toBe(1)
  expect([placeOf(world.db, 'post_1')?.n, placeOf(world.db, 'post_2')]).toEqual([1, undefined])
})

test('an archive never gives back what was archived, nor takes what is not there yet', async () => {
  const world = startRooms()
  const build = await world.room()
  await say(world, ['one', 'two', 'three'])
  const archived = (upTo: number): AnyNewRecord => aRecord('room.archived', { room: build.key, upTo, file: '' })
  const first = (): number => world.rooms.get(build.project, build.name).first
  await world.append([archived(2), archived(1)])
  expect(first()).toBe(3)
  await world.append([archived(9)])
  expect(first()).toBe(4)
})

test('agents of a Rein that knew no rooms are members of the first one', () => {
  const db = openDatabase(':memory:')
  migrate(db, migrations.slice(0, 6))
  const before = new LogWriter(db, [agentProjector])
  before.write([{ kind: 'append', records: [aRecord('agent.created', { agent: anAgent() })], cursors: [] }])
  migrate(db, migrations)
  expect(db.prepare('SELECT project, agent FROM room_agent').all()).toEqual([
    { project: agentRef.project, agent: agentRef.id },
  ])
})

test('over the real log: many at once, each has its own number when it is answered', async () => {
  const { log, path } = startLog()
  const reader = openDatabase(path, { readOnly: true })
  onTestFinished(() => reader.close())
  const announced: number[] = []
  let ids = 0
  const rooms = new Rooms(
    {
      append: (records) => log.append(records),
      reader,
      agents: () => [{ ...agentRef, isPresent: true }],
      now: () => now,
      newId: (prefix) => `${prefix}_${++ids}`,
      archiveDir: tempDir(),
      onPosted: ({ n }) => void announced.push(n),
      onTrouble: (_, cause) => expect.unreachable(String(cause)),
    },
    { maxTextBytes: 100, keep: 0 },
  )
  await rooms.create(agentRef.project, 'build', '', person)
  const all = await Promise.all(Array.from({ length: 300 }, (_, n) => rooms.post(saying(`@worker ${n}`))))
  expect(all.map(({ post }) => post.n)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1))
  expect([announced, log.commits < 100]).toEqual([all.map(({ post }) => post.n), true])
})

/** How SQLite finds the answer: no step of it may look at a whole table. */
const plan = (db: Database, sql: string): string[] =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...Array.from(sql.matchAll(/\?/g), () => null))
    .map(({ detail }) => String(detail))

test('every question about one room, one post or one member is answered by an index', () => {
  const db = emptyDatabase()
  const asked: string[] = []
  const spy: Database = { ...db, prepare: (sql) => (asked.push(sql), db.prepare(sql)) }
  membersOf(spy, 'r')
  newestUnread(spy, 'm', null)
  unreadMentions(spy, 'm', null)
  placeOf(spy, 'p')
  for (const _ of pendingMentions(spy)) break
  expect(asked).toHaveLength(5)
  expect(asked.flatMap((sql) => plan(db, sql)).filter((step) => /^SCAN (?!mention USING INDEX)/.test(step))).toEqual([])
})
