import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { chooseId, matchesId, shortId } from '../../contract/ids.ts'
import type { Lease } from '../../contract/lease.ts'
import { holderName } from '../../contract/lease-text.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { after } from '../../base/util/timer.ts'
import type { Placed } from './glob.ts'
import {
  type AreApart,
  type Clock,
  type Deed,
  decideTake,
  ended,
  type Held,
  isOf,
  isOver,
  leftOf,
  mayBeSame,
  mostHeld,
  overOnes,
} from './lease.ts'
import { endedLeases, type KeptLease, openLeases } from './store.ts'
import { leaseWords, whatToDo } from './words.ts'

interface LeasePorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  /** Milliseconds of a monotonic clock. */
  steady(): number
  newId(prefix: string): string
  areApart: AreApart
  onTrouble(cause: unknown): void
}

type NewLease = Pick<Lease, 'project' | 'root' | 'glob' | 'mode' | 'holder' | 'why'>

/** Which leases are meant: by a glob of a work tree, or by an id. */
export interface Meant {
  root: string
  lease: string
}

/** A clock on the wall that was set forward is noticed by then. */
const lookMs = 10_000
const mostEnded = 200

/** The held leases. They change only after their records are written. */
export class Leases {
  readonly #ports: LeasePorts
  readonly #held = new Map<string, Held>()
  readonly #waiting = new Set<() => void>()
  #turn: Promise<unknown> = Promise.resolve()
  #cancel: (() => void) | null = null
  #isOn = false

  constructor(ports: LeasePorts) {
    this.#ports = ports
    const { now, steady } = this.#clock()
    for (const { lease, setAt } of openLeases(ports.reader))
      this.#held.set(lease.id, { lease, endsAt: steady + leftOf(lease, setAt, now) })
  }

  /** From now on those whose time is over end by themselves. */
  start(): void {
    this.#isOn = true
    void this.#look()
  }

  stop(): void {
    this.#isOn = false
    this.#cancel?.()
  }

  /** All that are held now, oldest first. */
  held(): Lease[] {
    const clock = this.#clock()
    return [...this.#held.values()].filter((one) => !isOver(one, clock)).map(({ lease }) => lease)
  }

  /** The leases of one project, or those of them that may overlap a glob; newest last. */
  list(project: string, { on, isWithEnded }: { on?: Placed | undefined; isWithEnded: boolean }): KeptLease[] {
    const open = this.held().map((lease): KeptLease => ({ lease, setAt: lease.at, ended: null }))
    const over = isWithEnded ? endedLeases(this.#ports.reader, project, mostEnded).toReversed() : []
    return [...over, ...open.filter(({ lease }) => lease.project === project)].filter(
      ({ lease }) => on === undefined || mayBeSame(lease, on, this.#ports.areApart),
    )
  }

  /** Refuses files that another agent holds, in a mode that conflicts. */
  take(given: NewLease, ttlMs: number, actor: Actor): Promise<Lease> {
    return this.#inTurn(async (clock) => {
      const at = clock.now
      const wanted: Lease = { ...given, id: this.#ports.newId('lease'), at, until: at + ttlMs }
      const decided = decideTake([...this.#held.values()], wanted, clock, this.#ports.areApart)
      if ('refusedBy' in decided)
        throw new ReinError(
          'lease_held',
          `${leaseWords(decided.refusedBy, at)}.`,
          `${whatToDo(decided.refusedBy, wanted.glob)}.`,
        )
      if ('isTooMany' in decided)
        throw new ReinError('refused', `${mostHeld} leases are the most.`, 'See which can be released: rein lease list')
      await this.#write(decided.deeds, actor, clock)
      return decided.lease
    })
  }

  /** As long as is given, from now on. */
  renew(meant: Meant, holder: string | null, ttlMs: number, actor: Actor): Promise<Lease[]> {
    return this.#inTurn(async (clock) => {
      const own = this.#meant(meant, clock).filter((lease) => isOf(lease, holder))
      if (own.length === 0) throw notHeld(meant, this.#meant(meant, clock), clock.now)
      const renewed = own.map((lease) => ({ ...lease, until: clock.now + ttlMs }))
      await this.#write(
        renewed.map((lease) => ({ type: 'renewed', lease })),
        actor,
        clock,
      )
      return renewed
    })
  }

  /** A holder releases its own lease; the user may take away any. */
  release(meant: Meant, holder: string | null, actor: Actor): Promise<KeptLease[]> {
    return this.#inTurn(async (clock) => {
      const all = this.#meant(meant, clock)
      const own = all.filter((lease) => isOf(lease, holder))
      if (own.length > 0) return this.#end(own, holder, actor, clock)
      if (holder !== null || all.length === 0) throw notHeld(meant, all, clock.now)
      if (all.length > 1) {
        const holders = all.map(({ holder: by, id }) => `${holderName(by?.handle)} (${shortId(id)})`).join(', ')
        throw new ReinError(
          'refused',
          `Several hold ${JSON.stringify(meant.lease)} here: ${holders}.`,
          'Say whose by its id: rein lease release lease_…',
        )
      }
      return this.#end(all, holder, actor, clock)
    })
  }

  /** Everything that an agent holds. */
  releaseAll(holder: string, actor: Actor): Promise<KeptLease[]> {
    return this.#inTurn((clock) => {
      const own = this.held().filter((lease) => isOf(lease, holder))
      return own.length === 0 ? Promise.resolve([]) : this.#end(own, holder, actor, clock)
    })
  }

  /** Resolves when another lease is held than before, or the signal is given. */
  nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }

  async #end(leases: readonly Lease[], holder: string | null, actor: Actor, clock: Clock): Promise<KeptLease[]> {
    const deeds = leases.map((lease) => ended(lease, isOf(lease, holder) ? 'released' : 'taken away'))
    await this.#write(deeds, actor, clock)
    return deeds.flatMap(({ type, lease, ...more }) =>
      type === 'ended' && 'why' in more ? [{ lease, setAt: lease.at, ended: { at: clock.now, why: more.why } }] : [],
    )
  }

  #meant({ root, lease: named }: Meant, clock: Clock): Lease[] {
    const held = [...this.#held.values()].filter((one) => !isOver(one, clock)).map(({ lease }) => lease)
    if (!named.startsWith('lease_')) return held.filter((lease) => lease.root === root && lease.glob === named)
    const matching = held.map(({ id }) => id).filter((id) => matchesId(id, named))
    const id = chooseId(named, matching)
    return held.filter((lease) => lease.id === id)
  }

  /** One after the other: what is decided must still be so when it is written. */
  #inTurn<T>(work: (clock: Clock) => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => work(this.#clock()))
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /** All in one transaction; only what is written counts. */
  async #write(deeds: readonly Deed[], actor: Actor, clock: Clock): Promise<void> {
    if (deeds.length === 0) return
    await this.#ports.append(deeds.map((deed) => this.#record(deed, actor, clock.now)))
    for (const { type, lease } of deeds)
      if (type === 'ended') this.#held.delete(lease.id)
      else this.#held.set(lease.id, { lease, endsAt: clock.steady + lease.until - clock.now })
    for (const done of this.#waiting) done()
    this.#arm()
  }

  #record(deed: Deed, actor: Actor, at: number): AnyNewRecord {
    const { lease } = deed
    const { project, holder, until, why } = lease
    const isByItself = deed.type === 'ended' && deed.why === 'expired'
    const id = this.#ports.newId('rec')
    const context = { id, at, actor: isByItself ? byRein : actor, agent: holder?.id ?? null, project }
    if (deed.type === 'taken') return newRecord('lease.taken', { lease }, context)
    if (deed.type === 'renewed') return newRecord('lease.renewed', { lease: lease.id, until, why }, context)
    return newRecord('lease.ended', { lease: lease.id, why: deed.why }, context)
  }

  async #look(): Promise<void> {
    const look = (clock: Clock): Promise<void> => this.#write(overOnes([...this.#held.values()], clock), byRein, clock)
    await this.#inTurn(look).catch((cause: unknown) => this.#ports.onTrouble(cause))
    this.#arm()
  }

  #arm(): void {
    this.#cancel?.()
    if (!this.#isOn || this.#held.size === 0) return
    const { now, steady } = this.#clock()
    const next = [...this.#held.values()].map(({ lease, endsAt }) => Math.min(lease.until - now, endsAt - steady))
    this.#cancel = after(Math.max(1, Math.min(lookMs, ...next)), () => void this.#look())
  }

  #clock(): Clock {
    return { now: this.#ports.now(), steady: this.#ports.steady() }
  }
}

const notHeld = ({ lease: named }: Meant, others: readonly Lease[], now: number): ReinError => {
  const [other] = others
  if (other === undefined)
    return new ReinError('not_found', `There is no lease on ${JSON.stringify(named)} here.`, 'See all: rein lease list')
  return new ReinError(
    'forbidden',
    `It is not yours: ${leaseWords(other, now)}.`,
    `Only ${holderName(other.holder?.handle)}, or the user, can do that.`,
  )
}
