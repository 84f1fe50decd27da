import fc from 'fast-check'
import { expect, test } from 'vitest'
import { person } from '../../../../test/support/builders.ts'
import { anEvent, busLimits, busTables, startBus } from '../../../../test/support/bus.ts'
import { dump } from '../../../../test/support/in-process-log.ts'
import type { Actor } from '../../../contract/identity.ts'
import { userMember } from '../../../contract/person.ts'
import { type EventPriority, eventPriorities } from '../../../contract/team.ts'
import type { Log } from '../../../base/log/log.ts'
import type { Bus } from './bus.ts'
import { type EventItem, eventId, evolveEvent, isEventRecord, isOpen, pendingFor, rankOf } from './event.ts'

const members = ['agt_a', 'agt_b', 'agt_c']
const actorOf = (who: string): Actor =>
  who === userMember ? person : { kind: 'agent', id: who, handle: who.replace('agt_', '') }

type Step =
  | { kind: 'publish'; once: boolean; priority: EventPriority; dedup: string | undefined }
  | { kind: 'take'; who: string; limit: number }
  | { kind: 'ack'; who: string; which: number }
  | { kind: 'ackAll'; who: string }
  | { kind: 'prune' }

const who = fc.constantFrom(...members)
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('publish' as const),
    once: fc.boolean(),
    priority: fc.constantFrom(...eventPriorities),
    dedup: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('take' as const), who, limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('ack' as const),
    who: fc.oneof({ weight: 5, arbitrary: who }, { weight: 1, arbitrary: fc.constant(userMember) }),
    which: fc.nat(9),
  }),
  fc.record({ kind: fc.constant('ackAll' as const), who }),
  fc.record({ kind: fc.constant('prune' as const) }),
)

/** So much later, perhaps with another daemon, all of this at the same time; each write comes so many turns late. */
const aRound = fc.record({
  delays: fc.infiniteStream(fc.nat(4)),
  ms: fc.constantFrom(0, 10_000, 59_999, 60_000, 300_000),
  isNewDaemon: fc.boolean(),
  steps: fc.array(aStep, { minLength: 1, maxLength: 8 }),
})

/** What those who use the bus see of it. */
class Users {
  bus: Bus
  readonly project: string
  readonly #now: () => number
  readonly published: { id: string; dedup: string | undefined; at: number }[] = []
  readonly leases: { id: string; by: string; from: number; until: number }[] = []
  readonly acks: { id: string; by: string; at: number }[] = []

  constructor(bus: Bus, project: string, now: () => number) {
    this.bus = bus
    this.project = project
    this.#now = now
  }

  /** All at the same time; gives why some were refused. */
  async perform(steps: readonly Step[]): Promise<unknown[]> {
    const results = await Promise.allSettled(steps.map((step) => this.#perform(step)))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }

  async #perform(step: Step): Promise<void> {
    switch (step.kind) {
      case 'publish':
        return this.#publish(step)
      case 'take':
        return void (await this.take(step.who, step.limit))
      case 'ack':
        return this.ack(step.who, [this.published[step.which % this.published.length]?.id ?? 'evt_none'])
      case 'ackAll':
        return this.ack(step.who, 'all')
      case 'prune':
        await this.bus.prune(this.project, { keepBytes: 0 })
    }
  }

  async #publish({ once, priority, dedup }: Extract<Step, { kind: 'publish' }>): Promise<void> {
    const { event, isDuplicate } = await this.bus.publish(anEvent({ project: this.project, once, priority, dedup }))
    if (!isDuplicate) this.published.push({ id: event.id, dedup, at: event.at })
  }

  async take(by: string, limit: number): Promise<string[]> {
    const from = this.#now()
    const items = await this.bus.take(this.project, by, { limit })
    for (const { event, leasedUntil } of items)
      if (event.delivery === 'once') this.leases.push({ id: event.id, by, from, until: leasedUntil ?? 0 })
    return items.map(({ event }) => event.id)
  }

  /** One has only one at a time of what is done once. */
  async finish(by: string): Promise<void> {
    for (let ids = await this.take(by, 1000); ids.length > 0; ids = await this.take(by, 1000)) await this.ack(by, ids)
  }

  async ack(by: string, ids: string[] | 'all'): Promise<void> {
    const acked = await this.bus.ack(this.project, by, ids, actorOf(by))
    this.acks.push(...acked.map((id) => ({ id, by, at: this.#now() })))
  }
}

/** What the log says, whatever the tables say; nothing is pruned here. */
const replay = (log: Log, after: number): Map<string, EventItem> => {
  const items = new Map<string, EventItem>()
  for (const record of log.readAfter('events', after, 100_000)) {
    if (!isEventRecord(record)) continue
    const item = evolveEvent(items.get(eventId(record)), record)
    if (item !== undefined) items.set(item.event.id, item)
  }
  return items
}

const byUrgency = (a: EventItem, b: EventItem): number =>
  rankOf(a.event.priority) - rankOf(b.event.priority) || a.seq - b.seq

/** They are part of it, any other failure is not. */
const checkRefusals = (reasons: readonly unknown[]): void => {
  for (const reason of reasons) expect(reason).toMatchObject({ code: expect.stringMatching(/^(unknown|wrong)_/) })
}

/** Everybody is shown what the log says is pending, in order, counted to the last: so nothing pending was pruned. */
const checkOpen = ({ bus, project }: Users, items: readonly EventItem[]): void => {
  for (const member of [null, ...members]) {
    const expected = items.filter((item) => (member === null ? isOpen(item) : pendingFor(item).includes(member)))
    const { events, left, counts } = bus.open(project, member, { limit: 1000 })
    expect(events).toEqual(expected.toSorted(byUrgency))
    expect(left).toBe(0)
    expect(Object.values(counts)).toEqual(
      eventPriorities.map((priority) => expected.filter(({ event }) => event.priority === priority).length),
    )
  }
}

/** Nobody gets, or has done, what somebody else still has; but for the user, who may. */
const checkLeases = ({ leases, acks }: Users): void => {
  const gets = leases.map(({ id, by, from }) => ({ id, by, at: from }))
  for (const { id, by, at } of [...gets, ...acks.filter((ack) => ack.by !== userMember)]) {
    const others = leases.filter((other) => other.id === id && other.by !== by)
    expect(others.filter(({ from, until }) => from <= at && at < until)).toEqual([])
  }
}

const checkDedup = ({ published }: Users): void => {
  for (const [index, { dedup, at }] of published.entries()) {
    const same = published.slice(0, index).filter((other) => dedup !== undefined && other.dedup === dedup)
    expect(same.filter((other) => at - other.at < busLimits.dedupWindowMs)).toEqual([])
  }
}

/** In the end everything is done: by the user, or once by one of them, or by each. */
const checkDone = ({ acks }: Users, items: readonly EventItem[]): void => {
  for (const { event, acked } of items) {
    const told = acks.filter(({ id }) => id === event.id).map(({ by }) => by)
    expect(acked).toEqual(expect.arrayContaining(told))
    if (acked.includes(userMember)) continue
    expect(event.delivery === 'once' ? acked.length : acked.toSorted()).toEqual(event.delivery === 'once' ? 1 : members)
  }
}

test('whatever happens at the same time: once by one, each by each, in order, nothing lost', async () => {
  const { again, clock, log, db, ports } = startBus()
  let runs = 0
  let delays: Iterator<number> = [].values()
  ports.append = async (records) => {
    for (let turns = Number(delays.next().value ?? 0); turns > 0; turns--) await new Promise(setImmediate)
    return log.append(records)
  }
  const run = fc.asyncProperty(fc.array(aRound, { minLength: 1, maxLength: 8 }), async (rounds) => {
    const { last } = log.bounds('events')
    const users = new Users(again(), `p-${++runs}`, () => clock.now)
    for (const { delays: given, ms, isNewDaemon, steps } of rounds) {
      delays = given
      clock.now += ms
      if (isNewDaemon) users.bus = again()
      checkRefusals(await users.perform(steps))
      checkOpen(users, [...replay(log, last).values()])
    }
    clock.now += busLimits.leaseMs
    for (const member of members) await users.finish(member)
    const items = [...replay(log, last).values()]
    checkOpen(users, [])
    checkLeases(users)
    checkDedup(users)
    checkDone(users, items)
  })
  await fc.assert(run, { numRuns: 150 })
  const before = dump(db, busTables)
  await log.rebuild()
  expect(dump(db, busTables)).toBe(before)
})

test('each level of escalation once, however often a daemon starts', async () => {
  const { bus, again, clock, news } = startBus()
  const waits = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 6 })
  const run = fc.asyncProperty(fc.constantFrom('critical', 'high'), waits, async (priority, ms) => {
    const from = news.length
    const { event } = await bus.publish(anEvent({ priority }))
    for (const wait of ms) {
      clock.now += wait
      const next = again()
      next.start()
      await next.take(event.project, 'agt_a', { limit: 1 })
      next.stop()
    }
    const levels = news.slice(from).flatMap((one) => (one.kind === 'overdue' && one.id === event.id ? [one.level] : []))
    const passed = Math.floor((clock.now - event.at) / ((event.due ?? 0) - event.at))
    expect(levels.at(-1) ?? 0).toBe(Math.min(2, passed))
    expect(levels).toEqual([...new Set(levels)].toSorted((a, b) => a - b))
  })
  await fc.assert(run, { numRuns: 30 })
})
