import type { Outgoing } from '../../contract/channel.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import { after } from '../../base/util/timer.ts'
import { evolveOutgoing, isOutgoingRecord, type OutboxItem, type OutgoingRecordType } from './channel.ts'

interface OutboxPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  /** Undelivered messages, oldest first. */
  load(): OutboxItem[]
  find(id: string): OutboxItem | undefined
  now(): number
  /** Milliseconds on a clock that does not jump. */
  elapsed(): number
  newId(prefix: string): string
  onDead(item: OutboxItem): void
}

interface OutboxLimits {
  maxPending: number
  maxAttempts: number
}

interface Take {
  limit: number
  leaseMs: number
  waitMs: number
}

/**
 * Without `error` it was delivered, or `skipped`: why nobody was to get it any more. `retryInMs`: null gives it up; left
 * out, the wait grows with each attempt.
 */
interface Settlement {
  id: string
  skipped?: string | undefined
  error?: string | undefined
  retryInMs?: number | null | undefined
}

const firstWaitMs = 1_000
const longestWaitMs = 600_000
const longestLeaseMs = 3_600_000

/** Outgoing messages for programs: each is lent to one of them, and to another if that one does not report. */
export class Outbox {
  readonly #ports: OutboxPorts
  readonly #limits: OutboxLimits
  readonly #pending = new Map<string, OutboxItem>()
  /** Until when an item is lent, by the clock that does not jump. */
  readonly #leases = new Map<string, number>()
  /** Serializes the records of each item. */
  readonly #writing = new Map<string, Promise<unknown>>()
  readonly #waiting = new Set<() => void>()

  constructor(ports: OutboxPorts, limits: OutboxLimits) {
    this.#ports = ports
    this.#limits = limits
    this.reload()
  }

  /** An item that an earlier daemon lent may still be on its way: it is not lent again before that lease ends. */
  reload(): void {
    this.#pending.clear()
    for (const item of this.#ports.load()) {
      const { id } = item.outgoing
      this.#pending.set(id, item)
      const lease = item.lentUntil - this.#ports.now()
      if (lease > 0) this.#leases.set(id, this.#ports.elapsed() + Math.min(lease, longestLeaseMs))
    }
  }

  pendingOf(channel: string): OutboxItem[] {
    return [...this.#pending.values()].filter(({ outgoing }) => outgoing.channel === channel)
  }

  /** Resolves when it is on disk; the same id again is the same message. */
  async add(outgoing: Outgoing, actor: Actor): Promise<OutboxItem> {
    const known = this.#pending.get(outgoing.id) ?? this.#ports.find(outgoing.id)
    if (known !== undefined) return known
    if (this.pendingOf(outgoing.channel).length >= this.#limits.maxPending)
      throw new ReinError(
        'inbox_full',
        `${this.#limits.maxPending} messages wait to leave on ${outgoing.channel} already.`,
        'Its adapter does not take them over: rein channel list',
      )
    return this.#write(outgoing.id, 'message.sent', { outgoing }, actor)
  }

  knows(id: string): boolean {
    return this.#pending.has(id) || this.#ports.find(id) !== undefined
  }

  /** It has left already: only for the record. */
  async note(outgoing: Outgoing, actor: Actor): Promise<void> {
    await this.#ports.append([
      this.#record(outgoing.id, 'message.sent', { outgoing }, actor),
      this.#record(outgoing.id, 'message.delivered', { by: 'fifo' }, byRein),
    ])
  }

  /** The next items of a channel, oldest first; waits for one up to a limit. */
  async take(channel: string, { limit, leaseMs, waitMs }: Take, signal: AbortSignal): Promise<Outgoing[]> {
    const deadline = this.#ports.elapsed() + waitMs
    for (;;) {
      if (signal.aborted) return []
      // A lease that ends without a report counts as a failure: else an item that crashes every program would come for ever.
      for (const { outgoing } of this.pendingOf(channel)) {
        const end = this.#leases.get(outgoing.id)
        if (end !== undefined && end <= this.#ports.elapsed() && !this.#writing.has(outgoing.id))
          await this.settle({ id: outgoing.id, error: 'nothing was heard of it', retryInMs: 0 }, byRein)
      }
      const pending = this.pendingOf(channel)
      const due = pending.filter((item) => this.#dueIn(item) <= 0).slice(0, limit)
      const left = deadline - this.#ports.elapsed()
      if (due.length > 0 || left <= 0) return this.#lend(due, leaseMs)
      const nextDue = pending.reduce((least, item) => Math.min(least, this.#dueIn(item)), longestWaitMs)
      await this.#news(Math.min(left, nextDue), signal)
    }
  }

  /** Serializes the changes of each item; a second caller gets the result of the first. */
  async settle(settlement: Settlement, actor: Actor): Promise<OutboxItem> {
    const { id } = settlement
    const before = this.#writing.get(id) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => this.#settle(settlement, actor))
    this.#writing.set(id, mine)
    return mine.finally(() => {
      if (this.#writing.get(id) === mine) this.#writing.delete(id)
      for (const wake of this.#waiting) wake()
    })
  }

  async #settle({ id, skipped, error, retryInMs }: Settlement, actor: Actor): Promise<OutboxItem> {
    const item = this.#pending.get(id)
    if (item === undefined) {
      // A lease that ended may be settled by both holders: the first counts.
      const settled = this.#ports.find(id)
      if (settled === undefined) throw new ReinError('not_found', `There is no outgoing message ${id}.`)
      return settled
    }
    if (skipped !== undefined) return this.#write(id, 'message.skipped', { reason: skipped }, actor)
    if (error === undefined) {
      const by = actor.kind === 'agent' ? actor.handle : actor.kind === 'daemon' ? 'rein' : actor.name
      return this.#write(id, 'message.delivered', { by }, actor)
    }
    const attempt = item.attempts + 1
    const isHopeless = retryInMs === null || attempt >= this.#limits.maxAttempts
    if (isHopeless) return this.#write(id, 'message.dead', { reason: error }, actor)
    const until = this.#ports.now() + (retryInMs ?? Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs))
    return this.#write(id, 'message.failed', { reason: error, attempt, until }, actor)
  }

  /** Retries a dead item. */
  async retry(id: string, actor: Actor): Promise<OutboxItem> {
    const item = this.#ports.find(id)
    if (item?.state !== 'dead')
      throw new ReinError('not_found', `There is no dead message ${id}.`, 'List them: rein channel dead')
    return this.#write(id, 'message.retried', {}, actor, item)
  }

  /** A clock that was set back must not put it off for longer than any wait. */
  #dueIn({ until, outgoing: { id } }: OutboxItem): number {
    const wait = Math.min(until - this.#ports.now(), longestWaitMs)
    const lease = (this.#leases.get(id) ?? 0) - this.#ports.elapsed()
    return this.#writing.has(id) ? longestWaitMs : Math.max(wait, lease)
  }

  /** Lends them in memory at once, so that no other program gets them, and records it for the next daemon. */
  async #lend(items: readonly OutboxItem[], leaseMs: number): Promise<Outgoing[]> {
    const until = this.#ports.now() + leaseMs
    for (const { outgoing } of items) this.#leases.set(outgoing.id, this.#ports.elapsed() + leaseMs)
    await Promise.all(items.map(({ outgoing: { id } }) => this.#write(id, 'message.lent', { until }, byRein)))
    return items.map(({ outgoing }) => outgoing)
  }

  #news(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = after(ms, done)
      this.#waiting.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  async #write<T extends OutgoingRecordType>(
    id: string,
    type: T,
    body: RecordBody<T>,
    actor: Actor,
    known?: OutboxItem,
  ): Promise<OutboxItem> {
    const record = this.#record(id, type, body, actor)
    const [seq = 0] = await this.#ports.append([record])
    const placed = { ...record, seq }
    const item = isOutgoingRecord(placed) ? evolveOutgoing(this.#pending.get(id) ?? known, placed) : undefined
    if (item === undefined) throw new ReinError('not_found', `There is no outgoing message ${id}.`)
    if (item.state === 'pending') this.#pending.set(id, item)
    else this.#pending.delete(id)
    if (item.lentUntil === 0) this.#leases.delete(id)
    if (item.state === 'dead') this.#ports.onDead(item)
    for (const wake of this.#waiting) wake()
    return item
  }

  #record<T extends OutgoingRecordType>(id: string, type: T, body: RecordBody<T>, actor: Actor): AnyNewRecord {
    const context = {
      id: type === 'message.sent' ? id : this.#ports.newId('rec'),
      at: this.#ports.now(),
      actor,
      agent: actor.kind === 'agent' ? actor.id : null,
      project: null,
      cause: id,
    }
    return newRecord(type, body, context) as AnyNewRecord
  }
}
