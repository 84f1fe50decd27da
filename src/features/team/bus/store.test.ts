import { expect, test } from 'vitest'
import { aRecord, now, person } from '../../../../test/support/builders.ts'
import {
  anEvent,
  busTables,
  member,
  mostPressing,
  pendingCount,
  project,
  startBus,
} from '../../../../test/support/bus.ts'
import { dump } from '../../../../test/support/in-process-log.ts'
import type { AnyRecord } from '../../../contract/record.ts'
import { userMember } from '../../../contract/person.ts'
import type { BusEvent } from '../../../contract/team.ts'
import { type Database, transaction } from '../../../base/store/sqlite.ts'
import { busProjector } from './store.ts'

const published = (seq: number, given: Partial<BusEvent> = {}): AnyRecord => {
  const event: BusEvent = {
    id: `evt_${seq}`,
    project,
    type: 'heartbeat',
    v: 1,
    priority: 'low',
    payload: 'still here',
    from: person,
    to: null,
    delivery: seq % 2 === 0 ? 'once' : 'each',
    dedup: null,
    at: now,
    due: null,
    ...given,
  }
  return { ...aRecord('event.published', { event, recipients: ['agt_a'] }), seq }
}

/** Notes every statement with what the database makes of it. */
const explaining = (db: Database): { reader: Database; plans: Set<string> } => {
  const plans = new Set<string>()
  const prepare = (sql: string) => {
    const values = Array.from(sql.matchAll(/\?/g), () => null)
    for (const row of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)) plans.add(String(row['detail']))
    return db.prepare(sql)
  }
  return { reader: { ...db, prepare }, plans }
}

test('a flood hides nothing, whoever looks, and is counted to the last', async () => {
  const { bus, db, again } = startBus()
  const flood = 50_000
  transaction(db, () => {
    for (let seq = 1; seq <= flood; seq++) busProjector.apply(db, published(seq))
    busProjector.apply(db, published(flood + 1, { priority: 'critical', type: 'task-failed', due: now + 30_000 }))
  })
  for (const who of ['agt_a', null]) {
    const { events, left, counts } = bus.open(project, who, { limit: 3 })
    expect(events.map(({ seq }) => seq)).toEqual([flood + 1, 1, 2])
    expect({ left, counts }).toEqual({ left: flood - 2, counts: { critical: 1, high: 0, normal: 0, low: flood } })
  }
  expect(mostPressing(again(), 'agt_a')?.seq).toBe(flood + 1)
  expect(pendingCount(bus, 'agt_a')).toBe(flood + 1)
  expect(bus.newestPendingSeq('agt_a')).toBe(flood + 1)
  expect(bus.open(project, 'agt_a', { type: 'task-failed', limit: 9 })).toMatchObject({
    left: 0,
    counts: { low: flood },
  })
})

test('nothing that is asked for goes through all there is, or sorts it', async () => {
  const started = startBus()
  const { reader, plans } = explaining(started.reader)
  started.ports.reader = reader
  const bus = started.again()
  const { event } = await bus.publish(anEvent({ once: true, dedup: 'k', priority: 'critical' }))
  await bus.take(project, 'agt_a', { limit: 5 })
  await bus.take(project, 'agt_b', { type: 'task-complete', limit: 5 })
  await bus.ack(project, 'agt_a', [event.id], person)
  await bus.ack(project, userMember, 'all', person)
  await bus.prune(project, { keepBytes: 0 })
  bus.status(project)
  mostPressing(bus, 'agt_a')
  bus.newestPendingSeq('agt_a')
  bus.start()
  await bus.take(project, 'agt_a', { limit: 1 })
  expect([...plans].filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
  expect([...plans].join('\n')).toMatch(/bus_pending_type/)
})

test('the same tables when they are made anew', async () => {
  const { bus, log, db, clock } = startBus()
  for (const once of [true, false]) {
    for (const priority of ['critical', 'low'] as const) await bus.publish(anEvent({ once, priority }))
  }
  await bus.publish(anEvent({ to: member('a'), dedup: 'k' }))
  await bus.take(project, 'agt_a', { limit: 9 })
  clock.now += 40_000
  await bus.take(project, 'agt_b', { limit: 9 })
  clock.now += 40_000
  await bus.take(project, 'agt_c', { limit: 1 })
  await bus.ack(project, 'agt_b', 'all', { kind: 'agent', id: 'agt_b', handle: 'b' })
  await bus.ack(
    project,
    userMember,
    bus.open(project, null, { limit: 1 }).events.map(({ event }) => event.id),
    person,
  )
  await bus.prune(project, { keepBytes: 0 })
  const before = dump(db, busTables)
  await log.rebuild()
  expect(dump(db, busTables)).toBe(before)
})

test('what is open stays, whoever wants it pruned', () => {
  const { db, bus } = startBus()
  busProjector.apply(db, published(1))
  busProjector.apply(db, { ...aRecord('event.pruned', { events: ['evt_1'] }), seq: 2 })
  expect(bus.find('evt_1')?.seq).toBe(1)
})
