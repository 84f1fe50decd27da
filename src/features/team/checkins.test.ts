import { EventEmitter, once } from 'node:events'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startLog, type TestLog } from '../../../test/support/in-process-log.ts'
import type { AgentState } from '../../contract/agent.ts'
import { manifest } from '../../contract/manifest.ts'
import { type AnyNewRecord, type LogRecord, newRecord, type RecordType } from '../../contract/record.ts'
import type { Post } from '../../contract/team.ts'
import { type Database, openDatabase } from '../../base/store/sqlite.ts'
import {
  type CheckInPorts,
  type CheckInRoom,
  CheckIns,
  decideCheckIn,
  type Situation,
  type Watcher,
} from './checkins.ts'

const minute = 60_000
const interval = 15 * minute
const created = 1_800_000_000_000
const room: CheckInRoom = { project: 'shop-1a2b3c', name: 'dev', key: 'shop-1a2b3c/dev', createdAt: created }
const watcher = (id: string, given: Partial<Watcher> = {}): Watcher => ({
  id,
  handle: id.replaceAll('_', '-'),
  state: 'idle',
  isPaused: false,
  ...given,
})

/** In the middle of a slot jitter has nothing to say. */
const inSlot = (index: number): number => created + index * interval + interval / 2
const slot = (index: number): number => created + index * interval

describe('whom to ask', () => {
  const situation = (given: Partial<Situation> = {}): Situation => ({
    room,
    intervalMs: interval,
    seenSince: created,
    last: undefined,
    isPaused: false,
    watchers: [watcher('a'), watcher('b')],
    voices: new Map(),
    ...given,
  })
  const asked = (given: Partial<Situation>, now: number): string[] | null =>
    decideCheckIn(situation(given), now)?.asked.map(({ id }) => id) ?? null

  test('nobody before a full interval has passed', () => {
    expect(asked({}, created + interval - 1)).toBeNull()
    expect(asked({}, created + interval + 2 * minute)).toEqual(['a', 'b'])
  })

  test('nobody before a full interval since it was switched on', () => {
    expect(asked({ seenSince: inSlot(40) }, inSlot(41) - 1)).toBeNull()
    expect(asked({ seenSince: inSlot(40) }, inSlot(41))).toEqual(['a', 'b'])
    const last = { slot: slot(20), at: slot(20), cause: '' }
    expect(asked({ seenSince: inSlot(40), last }, inSlot(40))).toEqual(['a', 'b'])
    const atAnotherInterval = { ...last, slot: slot(20) + 1 }
    expect(asked({ seenSince: inSlot(40), last: atAnotherInterval }, inSlot(40))).toBeNull()
  })

  test('only those who are idle and not paused, and nobody in a paused room', () => {
    const states: AgentState[] = ['working', 'awaiting_permission', 'limited', 'stopped', 'starting', 'crashed']
    const busy = states.map((state) => watcher(state, { state }))
    expect(asked({ watchers: [...busy, watcher('p', { isPaused: true }), watcher('a')] }, inSlot(1))).toEqual(['a'])
    expect(asked({ watchers: busy }, inSlot(1))).toBeNull()
    expect(asked({ isPaused: true }, inSlot(1))).toBeNull()
  })

  test('only those who were silent since the slot before, and not those who say nothing new', () => {
    const voices = new Map([
      ['a', { postedAt: inSlot(2), asked: 0 }],
      ['b', { postedAt: inSlot(1) - interval, asked: 1 }],
    ])
    expect(asked({ voices }, inSlot(3))).toEqual(['b'])
    expect(asked({ voices }, inSlot(4))).toEqual(['a', 'b'])
    expect(asked({ voices: new Map([['b', { postedAt: 0, asked: 2 }]]) }, inSlot(4))).toEqual(['a'])
  })

  test('once in a slot, and not soon after one that was late', () => {
    const late = { slot: slot(3), at: slot(4) - 3 * minute, cause: '' }
    expect(asked({ last: late }, late.at + minute)).toBeNull()
    expect(asked({ last: late }, slot(4) + 2 * minute)).toEqual(['a', 'b'])
    expect(asked({ last: { ...late, at: slot(4) + 100 } }, slot(4) + 2 * minute)).toBeNull()
  })
})

class Killed extends Error {}
type Fate = 'lives' | 'killed before it writes' | 'killed as it writes'

/** Rooms, agents and a clock, and any number of those who would ask, on one log. */
class World {
  readonly #log: TestLog['log']
  readonly reader: Database
  readonly rooms: CheckInRoom[]
  now = created
  watchers: Watcher[] = []
  paused = new Set<string>()
  told: Post[] = []
  readonly news = new EventEmitter()
  troubles: unknown[] = []
  readonly #begun: ReadonlyMap<RecordType, number>
  #ids = 0

  constructor({ log, path }: Pick<TestLog, 'log' | 'path'>, rooms: CheckInRoom[]) {
    this.#log = log
    this.reader = openDatabase(path, { readOnly: true })
    this.rooms = rooms
    const types = ['checkin.asked', 'chat.posted'] as const
    this.#begun = new Map(types.map((type) => [type, log.bounds(manifest[type].topic).last]))
  }

  async open(): Promise<this> {
    const body = (given: CheckInRoom) => ({ room: { ...given, about: '' } })
    await this.#log.append(this.rooms.map((each) => this.#record('room.created', body(each), each)))
    return this
  }

  contender(fate: () => Fate = () => 'lives', intervalMs = interval): CheckIns {
    const ports: CheckInPorts = {
      append: async (records) => {
        if (fate() === 'killed before it writes') throw new Killed()
        const seqs = await this.#log.append(records)
        if (fate() === 'killed as it writes') throw new Killed()
        return seqs
      },
      reader: this.reader,
      rooms: () => this.rooms,
      isPaused: ({ key }) => this.paused.has(key),
      watchers: () => this.watchers,
      now: () => this.now,
      newId: (prefix) => `${prefix}_${this.rooms[0]?.key}_${++this.#ids}`,
      onAsked: (post) => {
        this.told.push(post)
        this.news.emit('asked')
      },
      onTrouble: (_, cause) => {
        if (!(cause instanceof Killed)) this.troubles.push(cause)
      },
    }
    return new CheckIns(ports, intervalMs)
  }

  async say(id: string, text: string, where = this.rooms[0] ?? room): Promise<void> {
    const author = { kind: 'agent' as const, id, handle: id }
    const post: Post = {
      id: `post_${where.key}_${++this.#ids}`,
      room: where.key,
      author,
      text,
      at: this.now,
      mentions: [],
      kind: 'message',
    }
    await this.#log.append([this.#record('chat.posted', { post }, where)])
  }

  /** Every check-in that was written, with its post. */
  asked(): { room: string; slot: number; asked: string[]; post: Post }[] {
    const own = new Set(this.rooms.map(({ key }) => key))
    const checkIns = this.#read('checkin.asked')
    const posts = this.#read('chat.posted').filter(({ body }) => body.post.kind === 'checkin')
    const pairs = checkIns.map((each) => ({ ...each.body, posts: posts.filter(({ cause }) => cause === each.cause) }))
    return pairs
      .filter((each) => own.has(each.room))
      .map(({ posts: [found, ...more], ...each }) => {
        if (found === undefined || more.length > 0) throw new Error('A check-in without its one post.')
        return { ...each, post: found.body.post }
      })
  }

  #read<T extends RecordType>(type: T): LogRecord<T>[] {
    const all = this.#log.readAfter(manifest[type].topic, this.#begun.get(type) ?? 0, 1_000_000)
    return all.filter((each) => each.type === type) as LogRecord<T>[]
  }

  #record(type: 'room.created' | 'chat.posted', body: unknown, { key, project }: CheckInRoom): AnyNewRecord {
    const context = { id: `${type}_${key}_${++this.#ids}`, at: this.now, actor: { kind: 'daemon' as const } }
    return newRecord(type, body as never, { ...context, agent: null, project }) as AnyNewRecord
  }
}

const single = async (): Promise<World> => new World(startLog(), [room]).open()

describe('one who asks', () => {
  test('names those who are silent in one post of Rein’s own, and tells of it', async () => {
    const world = await single()
    world.watchers = [watcher('agt_1'), watcher('agt_2'), watcher('agt_3', { state: 'working' })]
    const checkIns = world.contender()
    world.now = inSlot(1)
    await checkIns.look()
    const [{ post } = { post: null }] = world.asked()
    expect(post).toMatchObject({ room: room.key, author: { kind: 'daemon' }, kind: 'checkin', at: inSlot(1) })
    expect(post?.text).toMatch(/^@agt-1 @agt-2 Check-in: what are you working on/)
    expect(post?.mentions.map(({ agent, kind }) => [agent.id, agent.project, kind])).toEqual([
      ['agt_1', room.project, 'plain'],
      ['agt_2', room.project, 'plain'],
    ])
    expect(world.told).toEqual([post])
    await checkIns.look()
    expect(world.asked()).toHaveLength(1)
  })

  test('asks once after a long time away, not once for each slot', async () => {
    const world = await single()
    world.watchers = [watcher('agt_1')]
    const first = world.contender()
    world.now = inSlot(1)
    await first.look()
    await world.say('agt_1', 'All is well.')
    world.now = inSlot(500)
    const later = world.contender()
    await later.look()
    world.now += minute
    await later.look()
    expect(world.asked().map((each) => each.slot)).toEqual([slot(1), slot(500)])
  })

  test('leaves alone who answers nothing new twice, until it does', async () => {
    const world = await single()
    world.watchers = [watcher('agt_1')]
    const checkIns = world.contender()
    const slots: number[] = []
    const pass = async (index: number): Promise<void> => {
      world.now = inSlot(index)
      await checkIns.look()
      slots.push(world.asked().length)
    }
    await pass(1)
    await world.say('agt_1', 'Nothing to do.')
    for (const index of [2, 3]) await pass(index)
    await world.say('agt_1', '  nothing to   DO.\n')
    for (const index of [4, 5, 6, 7]) await pass(index)
    await world.say('agt_1', 'I found something.')
    for (const index of [8, 9]) await pass(index)
    expect(slots).toEqual([1, 1, 2, 2, 3, 3, 3, 3, 4])
  })

  test('rings by itself for every slot, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = await single()
    world.watchers = [watcher('agt_1')]
    const checkIns = world.contender()
    const pass = async (minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += 1) {
        world.now += minute
        await vi.advanceTimersByTimeAsync(minute)
      }
    }
    checkIns.start()
    await pass(14)
    expect(world.told).toEqual([])
    const asked = once(world.news, 'asked')
    await pass(4)
    await asked
    checkIns.stop()
    await pass(40)
    expect(world.told).toHaveLength(1)
  })

  test('is never rung at an interval of 0', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = new World(startLog(), [room])
    world.contender(() => 'lives', 0).start()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('goes on with the other rooms when one makes trouble', async () => {
    const other = { ...room, name: 'ops', key: `${room.project}/ops` }
    const world = await new World(startLog(), [room, other]).open()
    world.watchers = [watcher('agt_1')]
    const checkIns = world.contender()
    vi.spyOn(world.paused, 'has').mockImplementation((key) => {
      if (key === room.key) throw new Error('broken')
      return false
    })
    world.now = inSlot(1)
    await checkIns.look()
    expect(world.asked().map((each) => each.room)).toEqual([other.key])
    expect(world.troubles).toHaveLength(1)
  })
})

const agentIds = ['agt_1', 'agt_2', 'agt_3']
const contenders = 10

interface Step {
  order: number[]
  fates: Fate[]
  isPaused: boolean
  idle: boolean[]
  says: (string | null)[]
}

const fate = fc.constantFrom<Fate>('lives', 'lives', 'killed before it writes', 'killed as it writes')
const words = fc.constantFrom(null, null, null, 'Still nothing.', 'Something new.')
const step: fc.Arbitrary<Step> = fc.record({
  order: fc.shuffledSubarray(
    Array.from({ length: contenders }, (_, index) => index),
    { minLength: 1 },
  ),
  fates: fc.array(fate, { minLength: contenders, maxLength: contenders }),
  isPaused: fc.constantFrom(false, false, true),
  idle: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  says: fc.array(words, { minLength: 3, maxLength: 3 }),
})

/** What was written in one slot, and who was to be asked; nobody can be sure of it if all were killed. */
interface Outcome {
  written: string[][]
  expected: string[]
  isSure: boolean
  told: number
}

test('ten who would ask, in any order, killed at any time: one check-in in a slot if anybody is to be asked, else none', async () => {
  const log = startLog()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const name = `r${++runs}`
      const own = { ...room, name, key: `${room.project}/${name}` }
      const world = await new World(log, [own]).open()
      for (const { written, expected, isSure, told } of await play(world, own, steps)) {
        const allowed = expected.length === 0 ? [[]] : [[expected], ...(isSure ? [] : [[]])]
        expect(allowed).toContainEqual(written)
        expect(told).toBeLessThanOrEqual(written.length)
      }
      expect(world.asked().map((each) => each.slot)).toEqual([...new Set(world.asked().map((each) => each.slot))])
      expect(world.troubles).toEqual([])
    }),
    { numRuns: 40 },
  )
})

/** Plays the steps, one slot each, beside a plain model of who is to be asked. */
const play = async (world: World, own: CheckInRoom, steps: readonly Step[]): Promise<Outcome[]> => {
  const model: Model = new Map(agentIds.map((id) => [id, { said: '', isHeard: false, asked: 0 }]))
  const fates: Fate[] = Array.from({ length: contenders }, () => 'lives')
  const create = (_: unknown, index: number): CheckIns => world.contender(() => fates[index] ?? 'lives')
  let crowd = fates.map(create)
  const outcomes: Outcome[] = []
  for (const [index, { order, fates: given, isPaused, idle, says }] of steps.entries()) {
    world.now = inSlot(index + 1)
    world.paused = new Set(isPaused ? [own.key] : [])
    world.watchers = agentIds.map((id, who) => watcher(id, { state: idle[who] === true ? 'idle' : 'working' }))
    fates.splice(0, contenders, ...given)
    const [before, told] = [world.asked().length, world.told.length]
    await Promise.all(order.map(async (each) => crowd[each]?.look()))
    const written = world.asked().slice(before)
    const expected = isPaused ? [] : agentIds.filter((id, who) => idle[who] === true && isToBeAsked(model, id))
    const isSure = order.some((each) => given[each] === 'lives')
    outcomes.push({ written: written.map((each) => each.asked), expected, isSure, told: world.told.length - told })
    for (const id of written.flatMap((each) => each.asked))
      model.set(id, { ...at(model, id), asked: at(model, id).asked + 1 })
    for (const [who, text] of says.entries()) await hear(world, own, model, agentIds[who] ?? '', text)
    crowd = crowd.map((each, who) => (given[who] === 'lives' ? each : create(each, who)))
  }
  return outcomes
}

type Model = Map<string, { said: string; isHeard: boolean; asked: number }>
const at = (model: Model, id: string) => model.get(id) ?? { said: '', isHeard: false, asked: 0 }
const isToBeAsked = (model: Model, id: string): boolean => !at(model, id).isHeard && at(model, id).asked < 2

const hear = async (world: World, own: CheckInRoom, model: Model, id: string, text: string | null): Promise<void> => {
  const { said, asked } = at(model, id)
  if (text === null) return void model.set(id, { said, asked, isHeard: false })
  await world.say(id, text, own)
  model.set(id, { said: text, isHeard: true, asked: text === said ? asked : 0 })
}
