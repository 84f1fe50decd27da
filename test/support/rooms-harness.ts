import { join } from 'node:path'
import { expect } from 'vitest'
import type { Actor, AgentRef } from '../../src/contract/identity.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import type { NumberedPost } from '../../src/contract/team.ts'
import { LogWriter, type Outcome } from '../../src/base/log/writer.ts'
import type { Database } from '../../src/base/store/sqlite.ts'
import type { NewPost, RoomState } from '../../src/features/team/rooms/room.ts'
import { type RoomLimits, Rooms } from '../../src/features/team/rooms/rooms.ts'
import { roomProjector } from '../../src/features/team/rooms/store.ts'
import { agentRef, anAgent, aRecord, now, person, tempDir } from './builders.ts'
import { dump, emptyDatabase } from './in-process-log.ts'

export const { project } = agentRef

export interface TestRooms {
  rooms: Rooms
  db: Database
  /** Writes records, as others do. */
  append: (records: AnyNewRecord[]) => Promise<number[]>
  /** What was announced, in order. */
  posted: { post: NumberedPost; seq: number }[]
  troubles: unknown[]
  archiveDir: string
  clock: { now: number }
  /** Before a record is written; after it was projected, in the same transaction. */
  disk: { before: (record: AnyNewRecord) => Promise<void> | void; after: (record: AnyNewRecord) => void }
  /** An agent of a project, from now on. */
  agent: (handle: string, project?: string) => Promise<AgentRef>
  room: (name?: string, project?: string) => Promise<RoomState>
  /** Everything that is kept about rooms. */
  tables: () => string
  rebuild: () => void
}

export const actorOf = ({ id, handle }: AgentRef): Actor => ({ kind: 'agent', id, handle })

/** The real rooms, over the real tables in memory. */
export const startRooms = (limits: Partial<RoomLimits> = {}): TestRooms => {
  const db = emptyDatabase()
  const clock = { now }
  const disk: TestRooms['disk'] = { before: () => undefined, after: () => undefined }
  const writer = new LogWriter(db, [
    roomProjector,
    { name: 'disk', clear: () => undefined, apply: (_, record) => disk.after(record) },
  ])
  const append = async (records: AnyNewRecord[]): Promise<number[]> => {
    for (const record of records) await disk.before(record)
    return seqsOf(writer.write([{ kind: 'append', records, cursors: [] }])[0])
  }
  const agents: AgentRef[] = []
  const posted: TestRooms['posted'] = []
  const troubles: unknown[] = []
  const archiveDir = join(tempDir(), 'archive')
  let ids = 0
  const rooms = new Rooms(
    {
      append,
      reader: db,
      agents: (of) => agents.filter((agent) => agent.project === of).map((agent) => ({ ...agent, isPresent: true })),
      now: () => ++clock.now,
      newId: (prefix) => `${prefix}_room${++ids}`,
      archiveDir,
      onPosted: (post, seq) => void posted.push({ post, seq }),
      onTrouble: (_, cause) => void troubles.push(cause),
    },
    { maxTextBytes: 2 ** 20, keep: 0, ...limits },
  )
  const agent: TestRooms['agent'] = async (handle, of = project) => {
    const ref = { id: `agt_${of}_${handle}`, project: of, handle }
    await append([aRecord('agent.created', { agent: anAgent(ref) }, { agent: ref.id })])
    agents.push(ref)
    return ref
  }
  const room: TestRooms['room'] = (name = 'build', of = project) => rooms.create(of, name, '', person)
  const tables = (): string => dump(db, ['room', 'post', 'room_member', 'room_agent', 'mention', 'notice'])
  const rebuild = (): void => void seqsOf(writer.write([{ kind: 'rebuild' }])[0])
  return { rooms, db, append, posted, troubles, archiveDir, clock, disk, agent, room, tables, rebuild }
}

export const code = (wanted: string) => expect.objectContaining({ code: wanted })

export const saying = (text: string, author: Actor = person, more: Partial<NewPost> = {}): NewPost => ({
  project,
  name: 'build',
  author,
  text,
  ...more,
})

/** One after the other. */
export const say = async ({ rooms }: TestRooms, all: readonly string[], author: Actor = person): Promise<void> => {
  for (const text of all) await rooms.post(saying(text, author))
}

export const counting = (count: number): string[] => Array.from({ length: count }, (_, n) => `m${n + 1}`)
export const texts = (posts: readonly NumberedPost[]): string[] => posts.map(({ text }) => text)
export const numbers = (posts: readonly { n: number }[]): number[] => posts.map(({ n }) => n)

const seqsOf = (outcome: Outcome | undefined): number[] => {
  if (!outcome?.ok) throw outcome?.cause
  return outcome.result.appended.map(({ seq }) => seq)
}
