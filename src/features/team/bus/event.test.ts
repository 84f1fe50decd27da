import { describe, expect, test } from 'vitest'
import { now, person } from '../../../../test/support/builders.ts'
import { busLimits } from '../../../../test/support/bus.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import { userMember } from '../../../contract/person.ts'
import { type BusEvent, eventPriorities } from '../../../contract/team.ts'
import {
  dedupKey,
  dueOf,
  type EventItem,
  evolveEvent,
  isDuplicate,
  isEventRecord,
  isOpen,
  levelOf,
  mayAck,
  mayTake,
  pendingFor,
  toPrune,
  waitingFor,
  wakeAt,
} from './event.ts'
import { busRecord } from './record.ts'

const event = (given: Partial<BusEvent> = {}): BusEvent => ({
  id: 'evt_1',
  project: 'p',
  type: 'task-complete',
  v: 1,
  priority: 'normal',
  payload: '',
  from: person,
  to: null,
  delivery: 'each',
  dedup: null,
  at: now,
  due: null,
  ...given,
})

const item = (given: Partial<EventItem> = {}, of: Partial<BusEvent> = {}): EventItem => ({
  seq: 1,
  event: event(of),
  recipients: ['a', 'b'],
  acked: [],
  leasedBy: null,
  leasedUntil: null,
  leases: 0,
  escalated: 0,
  ...given,
})

const once = { delivery: 'once' } as const
const critical = { priority: 'critical', due: now + 30_000 } as const

test('only what presses has a deadline', () => {
  expect(eventPriorities.map((priority) => dueOf(priority, now, busLimits))).toEqual([
    now + 30_000,
    now + 120_000,
    null,
    null,
  ])
})

describe('open', () => {
  test.each([
    ['each: nobody yet', item(), true, ['a', 'b']],
    ['each: one of two', item({ acked: ['a'] }), true, ['b']],
    ['each: both', item({ acked: ['b', 'a'] }), false, []],
    ['each: the user for all', item({ acked: [userMember] }), false, []],
    ['once: nobody yet', item({}, once), true, ['a', 'b']],
    ['once: one is enough', item({ acked: ['b'] }, once), false, []],
    ['nobody watches, no hurry', item({ recipients: [] }), false, []],
    ['nobody watches, but it presses', item({ recipients: [] }, critical), true, []],
  ])('%s', (_, given, isStillOpen, waiting) => {
    expect(isOpen(given)).toBe(isStillOpen)
    expect(waitingFor(given)).toEqual(waiting)
  })

  test('while one has taken it, it is before nobody else', () => {
    expect(pendingFor(item({ leasedBy: 'b', leasedUntil: now }, once))).toEqual(['b'])
    expect(pendingFor(item({}, once))).toEqual(['a', 'b'])
  })
})

describe('a lease', () => {
  const leased = item({ leasedBy: 'a', leasedUntil: now + 10 }, once)
  test.each([
    ['its holder', 'a', now, true],
    ['another', 'b', now + 9, false],
    ['another, when it is over', 'b', now + 10, true],
    ['who is no recipient', 'c', now + 10, false],
  ])('%s', (_, who, at, may) => {
    expect(mayTake(leased, who, at)).toBe(may)
    expect(mayAck(leased, who, at)).toBe(may)
  })

  test('the user acknowledges whatever anybody has; what is for each, or done, is not taken', () => {
    expect(mayAck(leased, userMember, now)).toBe(true)
    expect(mayTake(item(), 'a', now)).toBe(false)
    expect(mayTake(item({ acked: ['b'] }, once), 'a', now)).toBe(false)
  })
})

describe('the judge of races', () => {
  const context = { id: 'rec_1', at: now, actor: { kind: 'daemon' as const }, project: 'p' }
  const after = (before: EventItem, record: AnyNewRecord): EventItem | undefined => {
    const placed = { ...record, seq: 2 }
    return isEventRecord(placed) ? evolveEvent(before, placed) : undefined
  }
  const lease = (member: string, until: number): AnyNewRecord =>
    busRecord('event.leased', { event: 'evt_1', member, until }, context)
  const ack = (member: string): AnyNewRecord => busRecord('event.acked', { event: 'evt_1', member }, context)
  const free = item({}, once)
  const withA = item({ leasedBy: 'a', leasedUntil: now + 10 }, once)
  const over = item({ leasedBy: 'a', leasedUntil: now }, once)
  const done = item({ acked: ['a'] }, once)

  test.each([
    ['one that is free is taken', free, lease('b', now + 60), { leasedBy: 'b', leasedUntil: now + 60 }],
    ['one that is with somebody is not', withA, lease('b', now + 60), withA],
    ['nor one that is done', done, lease('b', now + 60), done],
    ['nor by somebody it is not for', free, lease('c', now + 60), free],
    ['a lease that ran out is given back, and counted', over, lease('a', now), { ...free, leases: 1 }],
    ['one that was made longer meanwhile is not', withA, lease('a', now), withA],
    ['nor one of somebody else', over, lease('b', now), over],
    ['whoever has it has done it', withA, ack('a'), done],
    ['nobody else has', withA, ack('b'), withA],
    ['the first who did it', done, ack('b'), done],
    ['the user for whoever has it', withA, ack(userMember), { acked: [userMember], leasedBy: null }],
  ])('%s', (_, before, record, expected) => {
    expect(after(before, record)).toMatchObject(expected)
  })

  test('what is published a second time is what it was', () => {
    const again = busRecord('event.published', { event: event(), recipients: ['c'] }, context)
    expect(after(withA, again)).toBe(withA)
  })
})

describe('escalation', () => {
  const pressing = item({}, critical)
  test.each([
    ['in time', pressing, 29_999, 0],
    ['at the deadline', pressing, 30_000, 1],
    ['before the second', pressing, 59_999, 1],
    ['at the second', pressing, 60_000, 2],
    ['acknowledged', item({ acked: ['a', 'b'] }, critical), 60_000, 0],
    ['nobody else can be told', item({ recipients: [] }, critical), 30_000, 2],
    ['without a deadline', item(), 1e9, 0],
  ])('%s', (_, given, ms, level) => {
    expect(levelOf(given, now + ms)).toBe(level)
  })

  test.each([
    ['the deadline', pressing, now + 30_000],
    ['then the second', item({ escalated: 1 }, critical), now + 60_000],
    ['then nothing', item({ escalated: 2 }, critical), null],
    ['the end of a lease', item({ leasedBy: 'a', leasedUntil: now + 5 }, { ...critical, ...once }), now + 5],
    ['nothing about what is done', item({ acked: ['a', 'b'] }, critical), null],
  ])('what is next: %s', (_, given, at) => {
    expect(wakeAt(given)).toBe(at)
  })
})

describe('dedup', () => {
  test('the same key says the same only of one type and for the same recipient', () => {
    const to = { id: 'a', project: 'p', handle: 'a' }
    const keys = [{}, { type: 'task-failed' }, { to }, { dedup: 'other' }].map((given) =>
      dedupKey(event({ dedup: 'k', ...given })),
    )
    expect(new Set(keys).size).toBe(4)
    expect(dedupKey(event())).toBeNull()
  })

  test.each([
    [0, true],
    [299_999, true],
    [300_000, false],
    [-299_999, true],
    [-300_000, false],
  ])('%d ms after the first', (ms, isSame) => {
    expect(isDuplicate(event(), now + ms, 300_000)).toBe(isSame)
  })

  test('without a window nothing is the same', () => {
    expect(isDuplicate(event(), now, 0)).toBe(false)
  })
})

test('what is pruned is the oldest: what is too old, and as many as are too much', () => {
  const done = [1, 2, 3, 4].map((at) => ({ id: String(at), at, bytes: 10 }))
  const ids = (total: number, before: number, keepBytes: number): string =>
    toPrune(done, total, { before, keepBytes })
      .map(({ id }) => id)
      .join('')
  expect(ids(40, 3, Number.POSITIVE_INFINITY)).toBe('12')
  expect(ids(40, 0, 25)).toBe('12')
  expect(ids(40, 0, 40)).toBe('')
  expect(ids(100, 0, 0)).toBe('1234')
  expect(ids(40, 2, 15)).toBe('123')
})
