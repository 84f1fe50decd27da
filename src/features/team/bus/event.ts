import type { AnyRecord } from '../../../contract/record.ts'
import { userMember } from '../../../contract/person.ts'
import { type BusEvent, type EventPriority, eventPriorities } from '../../../contract/team.ts'

/** An event and its state. */
export interface EventItem {
  /** Its place in the log. */
  seq: number
  event: BusEvent
  /** The members that must acknowledge it or, with delivery `once`, may. */
  recipients: string[]
  /** The members that have acknowledged it. */
  acked: string[]
  /** The member that has taken an event with delivery `once`, and until when. */
  leasedBy: string | null
  leasedUntil: number | null
  /** How often a lease ran out without an acknowledgement. */
  leases: number
  escalated: number
}

/** 1: its recipients were told again; 2: a person was. */
type Level = 0 | 1 | 2

const eventRecordTypes = ['event.published', 'event.leased', 'event.acked', 'event.escalated'] as const
type EventRecord = Extract<AnyRecord, { type: (typeof eventRecordTypes)[number] }>

export const isEventRecord = (record: AnyRecord): record is EventRecord =>
  (eventRecordTypes as readonly string[]).includes(record.type)

export const eventId = ({ type, body }: EventRecord): string =>
  type === 'event.published' ? body.event.id : body.event

/** The state of an event after one more record. Only here does it change, so this decides every race. */
export const evolveEvent = (item: EventItem | undefined, record: EventRecord): EventItem | undefined => {
  if (record.type === 'event.published') {
    const { event, recipients } = record.body
    const state = { acked: [], leasedBy: null, leasedUntil: null, leases: 0, escalated: 0 }
    return item ?? { seq: record.seq, event, recipients, ...state }
  }
  if (item === undefined || !isOpen(item)) return item
  switch (record.type) {
    case 'event.leased':
      return leased(item, record.body.member, record.body.until, record.at)
    case 'event.acked': {
      if (!mayAck(item, record.body.member, record.at)) return item
      const after = { ...item, acked: [...new Set([...item.acked, record.body.member])] }
      return isOpen(after) ? after : { ...after, leasedBy: null, leasedUntil: null }
    }
    default:
      return { ...item, escalated: Math.max(item.escalated, record.body.level) }
  }
}

/** A lease that has ended when it is recorded gives the event back. */
const leased = (item: EventItem, member: string, until: number, at: number): EventItem => {
  if (until > at) return mayTake(item, member, at) ? { ...item, leasedBy: member, leasedUntil: until } : item
  return item.leasedBy === member && !isLeased(item, at) ? givenBack(item) : item
}

export const givenBack = (item: EventItem): EventItem => ({
  ...item,
  leasedBy: null,
  leasedUntil: null,
  leases: item.leases + 1,
})

/** After so many leases without an acknowledgement, it is left to a person. */
const mostLeases = 3

export const isForPerson = ({ leases }: EventItem): boolean => leases >= mostLeases

/** A user's acknowledgement counts for everyone. An event with a deadline and no recipient waits for a person. */
export const isOpen = ({ event, recipients, acked: by }: EventItem): boolean => {
  if (by.includes(userMember)) return false
  if (recipients.length === 0) return event.due !== null
  return event.delivery === 'once' ? by.length === 0 : by.length < recipients.length
}

/** The members that have not acknowledged it and could. */
export const waitingFor = (item: EventItem): string[] =>
  isOpen(item) ? item.recipients.filter((member) => !item.acked.includes(member)) : []

/** The members that see it now: the holder of its lease, else all that it waits for. */
export const pendingFor = (item: EventItem): string[] => (item.leasedBy === null ? waitingFor(item) : [item.leasedBy])

const isLeased = ({ leasedUntil }: EventItem, now: number): boolean => leasedUntil !== null && leasedUntil > now

/** Whether another member has leased it at this time. */
const isTaken = (item: EventItem, member: string, now: number): boolean =>
  item.leasedBy !== member && isLeased(item, now)

/** Whether a member may lease an event with delivery `once`. */
export const mayTake = (item: EventItem, member: string, now: number): boolean =>
  item.event.delivery === 'once' && waitingFor(item).includes(member) && !isTaken(item, member, now)

export const mayAck = (item: EventItem, member: string, now: number): boolean =>
  member === userMember || (item.recipients.includes(member) && !isTaken(item, member, now))

/** The smaller, the more pressing. */
export const rankOf = (priority: EventPriority): number => eventPriorities.indexOf(priority)

export interface AckTimes {
  criticalMs: number
  highMs: number
}

/** The deadline for its acknowledgement; null if there is none. */
export const dueOf = (priority: EventPriority, at: number, { criticalMs, highMs }: AckTimes): number | null => {
  if (priority === 'critical') return at + criticalMs
  return priority === 'high' ? at + highMs : null
}

/** When a person is told: as long after the deadline as the deadline is after the event. */
const secondDue = ({ at, due }: BusEvent): number | null => (due === null ? null : due + (due - at))

/** How far it should be escalated by now. Where no recipient can be told again, a person is told at once. */
export const levelOf = (item: EventItem, now: number): Level => {
  if (isOpen(item) && isForPerson(item)) return 2
  if (!(isOpen(item) && item.event.due !== null && item.event.due <= now)) return 0
  return now >= (secondDue(item.event) ?? now) || pendingFor(item).length === 0 ? 2 : 1
}

/** When its lease ends, or its next deadline passes. */
export const wakeAt = (item: EventItem): number | null => {
  if (!isOpen(item)) return null
  const deadlines = [item.event.due, secondDue(item.event)]
  const times = [item.leasedUntil, deadlines[item.escalated] ?? null].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Two events of a project with the same key are the same; type and recipient are part of it. */
export const dedupKey = ({ type, to, dedup }: BusEvent): string | null =>
  dedup === null ? null : JSON.stringify([type, to?.id ?? null, dedup])

/** The window counts from the first of them. A clock that was set back must not make it longer. */
export const isDuplicate = (first: BusEvent, at: number, windowMs: number): boolean =>
  Math.abs(at - first.at) < windowMs

export interface Closed {
  id: string
  at: number
  bytes: number
}

/** The oldest done events to drop: those that are too old, and as many as exceed the size. */
export const toPrune = (
  oldest: readonly Closed[],
  totalBytes: number,
  { before, keepBytes }: { before: number; keepBytes: number },
): Closed[] => {
  let bytes = totalBytes
  const end = oldest.findIndex((one) => {
    if (one.at >= before && bytes <= keepBytes) return true
    bytes -= one.bytes
    return false
  })
  return end === -1 ? [...oldest] : oldest.slice(0, end)
}
