import type { Lease, LeaseEnd } from '../../contract/lease.ts'
import { mayMeetFrom, type Placed } from './glob.ts'

/** A held lease, and its end by the monotonic clock. */
export interface Held {
  lease: Lease
  endsAt: number
}

/** The clock on the wall, which can be set, and one that only goes on. */
export interface Clock {
  now: number
  steady: number
}

/** Whichever clock says so first: one that was set back holds nothing up, one that was set forward ends it. */
export const isOver = ({ lease, endsAt }: Held, { now, steady }: Clock): boolean =>
  lease.until <= now || endsAt <= steady

/**
 * How long a lease that was set at a time is still held by the steady clock. A daemon that finds it may find another time
 * on the wall than there was: it never lasts longer from then on than it was taken for.
 */
export const leftOf = ({ until }: Lease, setAt: number, now: number): number =>
  Math.max(0, Math.min(until - setAt, until - now))

export const isOf = ({ holder }: Lease, id: string | null): boolean => (holder?.id ?? null) === id

/** Whether two directories are in two work trees of one repository, in which the same path is another file. */
export type AreApart = (one: string, other: string) => boolean

/** Whether some file may be meant by both. */
export const mayBeSame = (one: Placed, other: Placed, areApart: AreApart): boolean =>
  mayMeetFrom(one, other) && !areApart(one.root, other.root)

/** A change of a lease; each is one record. */
export type Deed =
  | { type: 'taken'; lease: Lease }
  | { type: 'renewed'; lease: Lease }
  | { type: 'ended'; lease: Lease; why: LeaseEnd }

type Decided = { deeds: Deed[]; lease: Lease } | { refusedBy: Lease } | { isTooMany: true }

/** The most leases at once. */
export const mostHeld = 200

export const ended = (lease: Lease, why: LeaseEnd): Deed => ({ type: 'ended', lease, why })

/** Expired leases end with the next change. */
export const overOnes = (held: readonly Held[], clock: Clock): Deed[] =>
  held.filter((one) => isOver(one, clock)).map(({ lease }) => ended(lease, 'expired'))

/** One's own again is renewed, for what is said now if anything is; in the other mode it takes the place of the one before. */
export const decideTake = (held: readonly Held[], wanted: Lease, clock: Clock, areApart: AreApart): Decided => {
  const over = overOnes(held, clock)
  const open = held.filter((one) => !isOver(one, clock)).map(({ lease }) => lease)
  const holder = wanted.holder?.id ?? null
  const refusedBy = open.find(
    (lease) =>
      !isOf(lease, holder) &&
      (lease.mode === 'exclusive' || wanted.mode === 'exclusive') &&
      mayBeSame(lease, wanted, areApart),
  )
  if (refusedBy !== undefined) return { refusedBy }
  const own = open.filter((lease) => isOf(lease, holder))
  const same = own.find(({ root, glob }) => root === wanted.root && glob === wanted.glob)
  if (same?.mode === wanted.mode) {
    const lease = { ...same, until: wanted.until, why: wanted.why ?? same.why }
    return { deeds: [...over, { type: 'renewed', lease }], lease }
  }
  if (same === undefined && own.length >= mostHeld) return { isTooMany: true }
  const before = same === undefined ? [] : [ended(same, 'released')]
  return { deeds: [...over, ...before, { type: 'taken', lease: wanted }], lease: wanted }
}
