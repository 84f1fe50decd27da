import fc from 'fast-check'
import { expect, test } from 'vitest'
import { person } from '../../../../test/support/builders.ts'
import { actorOf, numbers, saying, startRooms, type TestRooms } from '../../../../test/support/rooms-harness.ts'
import type { Actor } from '../../../contract/identity.ts'
import { userMember } from '../../../contract/person.ts'
import { authorKey, type RoomState } from './room.ts'

type Step =
  | { kind: 'post'; by: number; isLost: boolean }
  | { kind: 'read'; by: number; limit: number }
  | { kind: 'confirm'; by: number; share: number }
  | { kind: 'archive'; keep: number }
  | { kind: 'join' | 'rebuild' }

const by = fc.nat({ max: 5 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('post' as const), by, isLost: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('read' as const), by, limit: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('confirm' as const),
        by,
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), keep: fc.nat({ max: 5 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('join' as const, 'rebuild' as const) }) },
  ),
  { minLength: 10, maxLength: 60 },
)

interface Reader {
  id: string
  actor: Actor
  /** The number up to which it has read; at first, where it came in. */
  done: number
  seen: number[]
}

const atOnce = 1000

/** What should be, in the simplest terms: who wrote each post, and up to where each member has read. */
class Model {
  readonly #world: TestRooms
  readonly #room: RoomState
  readonly authors: string[] = []
  readonly readers: Reader[] = [{ id: userMember, actor: person, done: 0, seen: [] }]
  /** The numbers that posts were given. */
  readonly given: number[] = []
  #archived = 0

  constructor(world: TestRooms, room: RoomState) {
    this.#world = world
    this.#room = room
  }

  async run(step: Step): Promise<void> {
    if (step.kind === 'post') return this.#post(step.by, step.isLost)
    if (step.kind === 'read') return this.#read(this.#reader(step.by), step.limit)
    if (step.kind === 'confirm')
      return this.#confirm(this.#reader(step.by), Math.floor(step.share * this.authors.length))
    if (step.kind === 'archive') return this.#archive(step.keep)
    if (step.kind === 'join') return this.#join()
    this.#world.rebuild()
  }

  /** For each member: how much is unread, which that is, and how much of it is archived. */
  should(): [number, number, number[], number][] {
    return this.readers.map(({ id, done }) => {
      const unread = this.authors.flatMap((author, index) => (author === id || index < done ? [] : [index + 1]))
      const present = unread.filter((n) => n > this.#archived)
      return [unread.length, unread.length, present, unread.length - present.length]
    })
  }

  is(): [number, number, number[], number][] {
    const { rooms } = this.#world
    const members = new Map(rooms.members(this.#room).map(({ member, unread }) => [member, unread]))
    return this.readers.map(({ id }) => {
      const { posts, archived } = rooms.unreadPage(this.#room, id, atOnce)
      return [members.get(id) ?? -1, rooms.unread(id, null).get(this.#room.key) ?? 0, numbers(posts), archived]
    })
  }

  cursors(): number[] {
    const members = new Map(this.#world.rooms.members(this.#room).map(({ member, cursor }) => [member, cursor]))
    return this.readers.map(({ id }) => members.get(id) ?? -1)
  }

  #reader(index: number): Reader {
    return this.readers[index % this.readers.length] as Reader
  }

  /** Those who are no members write too. */
  async #post(index: number, isLost: boolean): Promise<void> {
    const actors = [...this.readers.map(({ actor }) => actor), ...strangers]
    const actor = actors[index % actors.length] ?? person
    const posting = this.#world.rooms.post(saying(isLost ? 'lost' : 'hello', actor))
    const posted = await posting.catch(() => null)
    if (posted !== null) this.given.push(posted.post.n)
    if (!isLost) this.authors.push(authorKey(actor))
  }

  async #read(reader: Reader, limit: number): Promise<void> {
    const { posts, upTo } = this.#world.rooms.unreadPage(this.#room, reader.id, limit)
    reader.seen.push(...numbers(posts))
    await this.#confirm(reader, upTo)
  }

  async #confirm(reader: Reader, upTo: number): Promise<void> {
    await this.#world.rooms.moveCursor(this.#room, reader.id, upTo, reader.actor)
    reader.done = Math.max(reader.done, upTo)
  }

  async #archive(keep: number): Promise<void> {
    await this.#world.rooms.archive(this.#room, keep, person)
    this.#archived = Math.max(this.#archived, this.authors.length - keep)
  }

  async #join(): Promise<void> {
    const agent = await this.#world.agent(`a${this.readers.length}`)
    this.readers.push({ id: agent.id, actor: actorOf(agent), done: this.authors.length, seen: [] })
  }
}

const strangers: Actor[] = [{ kind: 'daemon' }, { kind: 'channel', name: 'phone', sender: null }]

const start = async (): Promise<{ world: TestRooms; model: Model }> => {
  const world = startRooms()
  world.disk.after = ({ type, body }) => {
    if (type === 'chat.posted' && 'post' in body && body.post.text === 'lost') throw new Error('lost')
  }
  return { world, model: new Model(world, await world.room()) }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('whatever happens: unread is exact for everybody, cursors never move back, numbers have no gap', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { world, model } = await start()
      for (const step of all) {
        const before = model.cursors()
        await model.run(step)
        expect(model.is()).toEqual(model.should())
        expect(model.cursors().filter((cursor, index) => cursor < (before[index] ?? 0))).toEqual([])
      }
      expect(model.given).toEqual(upTo(model.authors.length))
      const tables = world.tables()
      world.rebuild()
      expect(world.tables()).toBe(tables)
    }),
    { numRuns: 60 },
  )
})

test('every member gets each message of others once, in order, however it is read', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { model } = await start()
      const begun = new Map<string, number>()
      for (const step of all.filter(({ kind }) => kind !== 'confirm' && kind !== 'archive')) {
        await model.run(step)
        for (const { id, done } of model.readers) if (!begun.has(id)) begun.set(id, done)
      }
      for (const reader of model.readers.keys()) await model.run({ kind: 'read', by: reader, limit: atOnce })
      for (const { id, seen } of model.readers) {
        const meant = upTo(model.authors.length).filter((n) => n > (begun.get(id) ?? 0) && model.authors[n - 1] !== id)
        expect(seen).toEqual(meant)
      }
    }),
    { numRuns: 60 },
  )
})
