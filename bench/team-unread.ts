import { join } from 'node:path'
import type { Actor } from '../src/contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../src/contract/record.ts'
import { userMember } from '../src/contract/person.ts'
import { roomKey } from '../src/contract/team.ts'
import { migrations, projectors } from '../src/daemon/schema.ts'
import { LogWriter } from '../src/base/log/writer.ts'
import { migrate } from '../src/base/store/migrate.ts'
import { type Database, openDatabase, openForWriting } from '../src/base/store/sqlite.ts'
import { unreadCounts } from '../src/features/team/rooms/store.ts'
import { anAgent } from '../test/support/builders.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, times } from './measure.ts'

const roomCount = 10_000
/** With the user they are 50. */
const agentCount = 49
const postsPerRoom = 3
const project = 'bench-0a1b2c'
const rounds = 2
const roomNames = Array.from({ length: roomCount }, (_, n) => `room-${n}`)
const agents = Array.from({ length: agentCount }, (_, n) => ({ id: `agt_${n}`, project, handle: `agent-${n}` }))
const members = [...agents.map(({ id }) => id), userMember]

type Way = 'unread' | 'eachRoom' | 'oneScan'

/** How much each of 50 members has not read in 10,000 rooms, beside the plainest ways to read its rows. */
export const unreadOfMany = (): Promise<Omit<Findings, 'head'>> =>
  withBox(async (box) => {
    const path = join(box.root, 'rooms.db')
    fill(path)
    const db = openDatabase(path, { readOnly: true })
    const ways = waysOf(db)
    const inTurn =
      (way: Way) =>
      async (turn: number): Promise<number> => {
        const started = performance.now()
        ways[way](members[turn % members.length] ?? '')
        return performance.now() - started
      }
    const variants = { unread: inTurn('unread'), eachRoom: inTurn('eachRoom'), oneScan: inTurn('oneScan') }
    await interleave(variants, members.length)
    const taken = await interleave(variants, rounds * members.length)
    db.close()
    return toFindings(taken)
  })

/** All of them read the same rows of one member. */
const waysOf = (db: Database): Record<Way, (member: string) => unknown> => {
  const keys = roomNames.map((name) => roomKey(project, name))
  const lookUp = db.prepare('SELECT n FROM room_member WHERE member = ? AND room = ?')
  const scan = db.prepare('SELECT room, n FROM room_member WHERE member = ?')
  return {
    unread: (member) => unreadCounts(db, member, project),
    eachRoom: (member) => keys.map((key) => lookUp.get(member, key)),
    oneScan: (member) => scan.all(member),
  }
}

/** Through the daemon's own writer and tables, in transactions of a thousand rooms. */
const fill = (path: string): void => {
  const db = openForWriting(path)
  migrate(db, migrations)
  const writer = new LogWriter(db, projectors)
  const write = (records: AnyNewRecord[]): void => {
    const [outcome] = writer.write([{ kind: 'append', records, cursors: [] }])
    if (!outcome?.ok) throw outcome?.cause
  }
  write(agents.map((ref) => record('agent.created', { agent: anAgent(ref) })))
  for (let from = 0; from < roomCount; from += 1000)
    write(roomNames.slice(from, from + 1000).flatMap((name, index) => recordsOf(name, from + index)))
  db.close()
}

/** A room, what three of its members said, and how far one of ten has read it. */
const recordsOf = (name: string, index: number): AnyNewRecord[] => {
  const room = roomKey(project, name)
  const posts = Array.from({ length: postsPerRoom }, (_, n) => {
    const { id, handle } = agents[(index + n) % agentCount] as (typeof agents)[number]
    const author: Actor = { kind: 'agent', id, handle }
    const post = {
      id: `post_${index}_${n}`,
      room,
      author,
      text: `Said ${n}`,
      at: n,
      mentions: [],
      kind: 'message' as const,
    }
    return record('chat.posted', { post })
  })
  const readers = members.filter((_, n) => (n + index) % 10 === 0)
  return [
    record('room.created', { room: { project, name, about: '', createdAt: 0 } }),
    ...posts,
    ...readers.map((member) => record('chat.read', { room, member, upTo: postsPerRoom })),
  ]
}

let records = 0

const record = <T extends RecordType>(type: T, body: RecordBody<T>): AnyNewRecord =>
  newRecord(type, body, {
    id: `rec_${++records}`,
    at: 0,
    actor: { kind: 'daemon' },
    agent: null,
    project,
  }) as AnyNewRecord

const toFindings = (taken: Record<Way, number[]>): Omit<Findings, 'head'> => {
  const ratio = (way: Way): number => median(taken.unread) / median(taken[way])
  const row = (what: string, way: Way): string[] => [
    `${roomCount} rooms, one of ${members.length} members: ${what}`,
    (1000 / median(taken[way])).toFixed(0),
    ...[0.5, 0.95, 0.99].map((share) => ms(percentile(taken[way], share))),
    way === 'unread' ? times(1) : `counts: ${times(ratio(way))}`,
  ]
  return {
    rows: [
      row('one indexed lookup for each room', 'eachRoom'),
      row('one indexed lookup for all rooms at once', 'oneScan'),
      row('its unread counts', 'unread'),
    ],
    notes: [],
    goals: [
      {
        what: `unread counts of ${roomCount} rooms, compared with one indexed lookup for each:`,
        value: ratio('eachRoom'),
        limit: 2,
        kind: 'at most',
      },
      {
        what: 'the same, compared with one indexed lookup for all of them at once:',
        value: ratio('oneScan'),
        limit: 2,
        kind: 'at most',
      },
    ],
  }
}
