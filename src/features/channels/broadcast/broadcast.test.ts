import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentRef, now } from '../../../../test/support/builders.ts'
import { emptyDatabase } from '../../../../test/support/in-process-log.ts'
import { turnEntry, turnRecords } from '../../../../test/support/turn-records.ts'
import { append, topicBounds } from '../../../base/log/store.ts'
import { pruneAll } from '../../../../test/support/prune.ts'
import { Broadcast, type Subscription } from './broadcast.ts'
import type { Line } from './lines.ts'
import type { Sink } from './sink.ts'
import { TurnSource } from './source.ts'
import { type Item, positionOf } from './turn-line.ts'

const stuckMs = 60_000
const never = async function* (): AsyncGenerator<void> {}

/** A sink that takes a batch only when it is told to. */
class SlowSink implements Sink {
  readonly got: Item[] = []
  state: 'open' | 'ended' | 'destroyed' = 'open'
  taken = 0
  /** Whether it was always asked for what a sink can do. */
  isWellTreated = true
  #taken: (() => void) | null = null

  write(lines: readonly Line[], onTaken: () => void): void {
    if (this.state !== 'open' || this.#taken !== null || lines.length === 0) this.isWellTreated = false
    this.#taken = onTaken
    this.got.push(...lines.map(({ json }) => JSON.parse(json.toString()) as Item))
  }

  take(): boolean {
    const taken = this.#taken
    this.#taken = null
    taken?.()
    return taken !== null
  }

  end(): void {
    if (this.#taken !== null) this.isWellTreated = false
    this.state = 'ended'
  }

  destroy(): void {
    this.state = 'destroyed'
  }
}

interface Member {
  sink: SlowSink
  subscription: Subscription
  /** Where it began. */
  from: number
}

/** A log in memory, and everything that happens when the test says so. */
class World {
  readonly db = emptyDatabase()
  readonly source = new TurnSource({ reader: this.db, handle: () => 'worker' })
  /** Where each line stands that ever was. */
  readonly lines: number[] = []
  readonly trouble: unknown[] = []
  clock = 0
  #later: (() => void)[] = []
  #turns = 0
  readonly broadcast = new Broadcast(
    {
      source: this.source,
      news: never,
      now: () => (this.clock += 1),
      soon: (run) => this.#later.push(run),
      onTrouble: (cause) => this.trouble.push(cause),
    },
    { count: 4, bytes: 4_000, stuckMs },
  )

  turn(entries = 1, text = 'reply', agent: string = agentRef.id): void {
    const turn = `t${++this.#turns}`
    const blocks = Array.from({ length: entries }, () => ({ type: 'text' as const, text }))
    const records = turnRecords({ turn, blocks, agent, at: now + this.#turns })
    const seqs = records.map((record) => append(this.db, record).seq)
    this.lines.push(seqs.at(-1) ?? 0)
  }

  lateEntry(): void {
    if (this.#turns === 0) return
    const late = turnEntry({ turn: `t${this.#turns}` }, `late-${this.lines.length}`, { type: 'text', text: 'late' })
    this.lines.push(append(this.db, late).seq)
  }

  prune(share: number): void {
    pruneAll(this.db, 'turns', now + Math.round(this.#turns * share))
  }

  /** Which of the lines between two positions could still be read. */
  linesIn(after: number, until: number): number[] {
    const { floor } = topicBounds(this.db, 'turns')
    return this.lines.filter((seq) => seq > after && seq <= until && seq > floor)
  }

  /** Subscribes, and goes on after a position if there is one. */
  member(after: number | null = null, agent: string | null = null): Member {
    const sink = new SlowSink()
    const from = after ?? this.source.last
    const subscription = this.broadcast.subscribe(sink, agent)
    subscription.start(after)
    return { sink, subscription, from }
  }

  /** Lets the broadcast work once; false if it has nothing to do. */
  step(): boolean {
    const run = this.#later.shift()
    run?.()
    return run !== undefined
  }

  /** Until everybody has everything. */
  settle(members: readonly Member[]): void {
    this.broadcast.look()
    let isMoving = true
    while (isMoving) {
      isMoving = this.step()
      for (const { sink } of members) if (sink.take()) isMoving = true
    }
  }
}

/** Each line once and in order, each hole told; from the beginning to the newest line. */
const checkComplete = (world: World, { sink, from }: Member): void => {
  let position = from
  for (const item of sink.got) {
    if ('gap' in item) expect([item.gap.after, world.linesIn(item.gap.after, item.gap.until)]).toEqual([position, []])
    else expect(item.seq).toBe(world.lines.find((seq) => seq > position))
    position = positionOf(item)
  }
  expect(world.lines.filter((seq) => seq > position)).toEqual([])
  expect(sink.isWellTreated).toBe(true)
}

type Step = (world: World, members: Member[]) => void

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(4), fc.constantFrom('a', '漢字🎉'.repeat(300))).map(
    ([entries, text]): Step =>
      (world) =>
        world.turn(entries, text),
  ),
  fc.constant<Step>((world) => world.lateEntry()),
  fc.constant<Step>((world) => world.broadcast.look()),
  fc.constant<Step>((world) => void world.step()),
  fc.double({ min: 0, max: 1, noNaN: true }).map(
    (share): Step =>
      (world) =>
        world.prune(share),
  ),
  fc.option(fc.double({ min: 0, max: 1.5, noNaN: true })).map(
    (share): Step =>
      (world, members) => {
        members.push(world.member(share === null ? null : Math.round(world.source.last * share)))
      },
  ),
  fc.nat(20).map(
    (index): Step =>
      (_, members) =>
        void members[index % members.length]?.sink.take(),
  ),
)

test('whatever comes, is pruned, and however slow anybody is: each gets every line after its position, or a gap that says what is gone', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 100, size: 'max' }), (steps) => {
      const world = new World()
      const members: Member[] = []
      for (const step of steps) step(world, members)
      world.settle(members)
      for (const member of members) checkComplete(world, member)
      expect(world.trouble).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('a line is made once, however many get it', () => {
  const world = new World()
  const members = Array.from({ length: 50 }, () => world.member())
  let made = 0
  const next = world.source.next.bind(world.source)
  world.source.next = (...position) => {
    made += 1
    return next(...position)
  }
  for (let turn = 0; turn < 10; turn += 1) {
    world.turn()
    world.settle(members)
  }
  for (const member of members) checkComplete(world, member)
  expect(made).toBe(10)
})

test('a burst goes out in batches, a batch being no longer than it has to be', () => {
  const world = new World()
  const member = world.member()
  for (let turn = 0; turn < 3; turn += 1) world.turn(1, 'x'.repeat(40_000))
  world.broadcast.look()
  while (world.step());
  expect(member.sink.got).toHaveLength(2)
  world.settle([member])
  checkComplete(world, member)
})

test('nothing comes before it is started, and then what came since', () => {
  const world = new World()
  const sink = new SlowSink()
  const from = world.source.last
  const subscription = world.broadcast.subscribe(sink)
  world.turn()
  world.settle([{ sink, subscription, from }])
  expect(sink.got).toEqual([])
  subscription.start(null)
  world.settle([{ sink, subscription, from }])
  checkComplete(world, { sink, subscription, from })
})

test('a position that is not there yet is told, also in the middle of a batch; then come new lines', () => {
  const world = new World()
  world.turn()
  const member = world.member()
  const { sink, subscription } = member
  world.turn()
  world.broadcast.look()
  while (world.step());
  const last = world.source.last
  subscription.start(last + 1000)
  world.settle([member])
  world.turn()
  world.settle([member])
  expect(sink.got).toMatchObject([{ seq: last }, { gap: { after: last + 1000, until: last } }, { prompt: 'prompt t3' }])
})

test('who is finishing gets what there is, and then the end', () => {
  const world = new World()
  for (let turn = 0; turn < 6; turn += 1) world.turn()
  const member = world.member(0)
  member.subscription.finish()
  world.settle([member])
  checkComplete(world, member)
  expect(member.sink.state).toBe('ended')
})

test('who takes nothing for too long is sent away; who has nothing to take is not', () => {
  const world = new World()
  const [stuck, healthy] = [world.member(), world.member()]
  world.turn()
  world.broadcast.look()
  while (world.step());
  healthy.sink.take()
  world.broadcast.endStuck()
  expect([stuck.sink.state, healthy.sink.state]).toEqual(['open', 'open'])
  world.clock += stuckMs
  world.broadcast.endStuck()
  expect([stuck.sink.state, healthy.sink.state]).toEqual(['destroyed', 'open'])
  world.turn()
  world.settle([stuck, healthy])
  checkComplete(world, healthy)
  expect(stuck.sink.got).toHaveLength(1)
})

test('who takes something now and then is not sent away, however long it takes', () => {
  const world = new World()
  const { sink } = world.member()
  world.turn()
  world.broadcast.look()
  while (world.step());
  for (let look = 0; look < 5; look += 1) {
    sink.taken += 1
    world.clock += stuckMs
    world.broadcast.endStuck()
  }
  expect(sink.state).toBe('open')
  world.clock += stuckMs - 10
  world.broadcast.endStuck()
  expect(sink.state).toBe('open')
  world.clock += 10
  world.broadcast.endStuck()
  expect(sink.state).toBe('destroyed')
})

test('who wants one agent gets its turns and no others, and is told of a hole all the same', () => {
  const world = new World()
  const agents = ['agt_a', 'agt_b', 'agt_b', 'agt_a', 'agt_b']
  for (const agent of agents) world.turn(1, 'reply', agent)
  const members = [world.member(0, 'agt_a'), world.member(0, 'agt_b'), world.member(0, 'agt_nobody'), world.member(0)]
  world.turn(1, 'reply', 'agt_a')
  world.settle(members)
  const prompts = members.map(({ sink }) => sink.got.map((item) => ('gap' in item ? 'gap' : item.prompt?.slice(-2))))
  const all = ['t1', 't2', 't3', 't4', 't5', 't6']
  expect(prompts).toEqual([['t1', 't4', 't6'], ['t2', 't3', 't5'], [], all])
  world.prune(0.5)
  const late = world.member(0, 'agt_b')
  world.settle([late])
  expect(late.sink.got).toMatchObject([{ gap: { after: 0 } }, { prompt: 'prompt t3' }, { prompt: 'prompt t5' }])
})

test('what cannot be read is told and costs those who wanted it their connection, nobody else anything', () => {
  const world = new World()
  world.turn()
  const [past, present] = [world.member(0), world.member()]
  const next = world.source.next.bind(world.source)
  world.source.next = (after, agent) => {
    if (after === 0) throw new Error('broken')
    return next(after, agent)
  }
  world.turn()
  world.settle([past, present])
  expect(past.sink.state).toBe('ended')
  expect(world.trouble).toHaveLength(1)
  checkComplete(world, present)
})

test('at the close nobody is left', () => {
  const world = new World()
  const [idle, busy] = [world.member(), world.member(0)]
  world.turn()
  world.broadcast.look()
  while (world.step());
  idle.sink.take()
  world.broadcast.close()
  expect([idle.sink.state, busy.sink.state]).toEqual(['ended', 'destroyed'])
})

test('one that left gets nothing more', () => {
  const world = new World()
  const { sink, subscription } = world.member()
  subscription.leave()
  world.turn()
  world.settle([])
  subscription.start(0)
  world.settle([])
  expect(sink.got).toEqual([])
})
