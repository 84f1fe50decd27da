import type { Message, Outgoing, OutgoingState } from '../../contract/channel.ts'
import type { AnyRecord } from '../../contract/record.ts'

/** A message that waits to go on; `seq` is its place in the order of arrival. */
export interface HeldMessage {
  message: Message
  seq: number
}

/** Something that goes out and is kept until a program has taken it over. */
export interface OutboxItem {
  outgoing: Outgoing
  seq: number
  state: OutgoingState
  attempts: number
  /** Not before this time. */
  until: number
  /** A program has it until then; 0: none has. */
  lentUntil: number
  reason: string | null
}

const outgoingTypes = [
  'message.sent',
  'message.lent',
  'message.delivered',
  'message.skipped',
  'message.failed',
  'message.dead',
  'message.retried',
] as const
export type OutgoingRecordType = (typeof outgoingTypes)[number]
export type OutgoingRecord = Extract<AnyRecord, { type: OutgoingRecordType }>

export const isOutgoingRecord = (record: AnyRecord): record is OutgoingRecord =>
  (outgoingTypes as readonly string[]).includes(record.type)

/** Every record about it names it in `cause`; the first one carries it. */
export const outgoingId = (record: OutgoingRecord): string =>
  record.type === 'message.sent' ? record.body.outgoing.id : (record.cause ?? '')

/** The outgoing message after one more record: the only place where its state changes. */
export const evolveOutgoing = (item: OutboxItem | undefined, record: OutgoingRecord): OutboxItem | undefined => {
  if (record.type === 'message.sent')
    return (
      item ?? {
        outgoing: record.body.outgoing,
        seq: record.seq,
        state: 'pending',
        attempts: 0,
        until: 0,
        lentUntil: 0,
        reason: null,
      }
    )
  if (item === undefined || isSettled(item)) return item
  switch (record.type) {
    case 'message.lent':
      return { ...item, lentUntil: record.body.until }
    case 'message.delivered':
      return { ...item, state: 'delivered', lentUntil: 0, reason: null }
    case 'message.skipped':
      return { ...item, state: 'skipped', lentUntil: 0, reason: record.body.reason }
    case 'message.failed': {
      const { attempt: attempts, until, reason } = record.body
      return { ...item, attempts, until, lentUntil: 0, reason }
    }
    case 'message.dead':
      return { ...item, state: 'dead', lentUntil: 0, reason: record.body.reason }
    default:
      return { ...item, state: 'pending', attempts: 0, until: 0, reason: null }
  }
}

/** Nothing becomes of it any more; a dead one can be tried again. */
export const isSettled = ({ state }: Pick<OutboxItem, 'state'>): boolean => state === 'delivered' || state === 'skipped'

/** In a room a message is a post under this id: the same message again is the same post. */
export const postIdOf = (message: string): string => `post_${message}`

/** Larger numbers are milliseconds: as seconds they would be in the year 5138 and later. */
const maxSeconds = 1e11
const maxDate = 8.64e15

/** When something was written, as its sender says, in milliseconds; null if that is no time. */
export const claimedTime = (ts: unknown): number | null => {
  if (typeof ts !== 'number' || !(ts > 0)) return null
  const ms = Math.round(ts < maxSeconds ? ts * 1000 : ts)
  return ms <= maxDate ? ms : null
}
