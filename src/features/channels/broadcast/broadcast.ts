import { onBeat } from '../../../base/util/beat.ts'
import { type Line, type LineLimits, Lines, toLine } from './lines.ts'
import type { Sink } from './sink.ts'
import type { TurnSource } from './source.ts'
import { gap } from './turn-line.ts'

/** How the owner of a sink says what it wants. */
export interface Subscription {
  /** From now on lines come: those after a position, or those since it subscribed. */
  start(after: number | null): void
  /** Lines come up to what there is by now, and then the end. */
  finish(): void
  /** The other side is gone. */
  leave(): void
}

export interface BroadcastPorts {
  source: TurnSource
  /** Once now, then after commits of turns. */
  news(signal: AbortSignal): AsyncIterable<void>
  /** Milliseconds on a clock that does not jump. */
  now(): number
  /** Calls back when everything else has had its turn. */
  soon(run: () => void): void
  onTrouble(cause: unknown): void
}

interface BroadcastLimits extends LineLimits {
  /** A subscriber that takes nothing for so long is disconnected. */
  stuckMs: number
}

interface Subscriber {
  sink: Sink
  /** Whose turns it wants; null: everybody's. */
  agent: string | null
  /** Everything up to here was written to the sink. */
  position: number
  /** Where it wanted to go on, if there is no such position yet. */
  ahead: number | null
  isStarted: boolean
  isFinishing: boolean
  /** Since when it has taken nothing of what is on its way; null if nothing is. */
  waitingSince: number | null
  /** The bytes it had taken by then. */
  taken: number
}

/** The size of one batch for a subscriber. */
const batchBytes = 64 * 1024
/** The longest that subscribers keep the daemon from everything else. */
const sliceMs = 2
const stuckCheckMs = 5_000

/**
 * Gives every turn to every subscriber, each at its own pace. There are no queues: a subscriber is a position, and what
 * follows it is read from the log when the sink takes more. The newest lines are cached: subscribers that keep up share them.
 */
export class Broadcast {
  readonly #ports: BroadcastPorts
  readonly #limits: BroadcastLimits
  readonly #lines: Lines
  readonly #subscribers = new Set<Subscriber>()
  readonly #ready = new Set<Subscriber>()
  readonly #ending = new AbortController()
  #isPumping = false
  /** How far the log was looked through. */
  #looked: number
  /** The newest line in that: who is there has everything. */
  #newest: number

  constructor(ports: BroadcastPorts, limits: BroadcastLimits) {
    this.#ports = ports
    this.#limits = limits
    this.#lines = new Lines(limits)
    this.#looked = this.#newest = ports.source.last
  }

  /** Follows the log until it is closed. */
  async run(): Promise<void> {
    const stop = onBeat(stuckCheckMs, () => this.endStuck())
    for await (const _ of this.#ports.news(this.#ending.signal)) this.look()
    stop()
  }

  /** Counts from this moment; lines come when it is started: of one agent, or of all. */
  subscribe(sink: Sink, agent: string | null = null): Subscription {
    this.look()
    const subscriber: Subscriber = {
      sink,
      agent,
      position: this.#newest,
      ahead: null,
      isStarted: false,
      isFinishing: false,
      waitingSince: null,
      taken: 0,
    }
    this.#subscribers.add(subscriber)
    return {
      start: (after) => this.#start(subscriber, after),
      finish: () => {
        subscriber.isFinishing = true
        this.#start(subscriber, null)
      },
      leave: () => this.#forget(subscriber),
    }
  }

  /** Looks for turns that have ended since it last looked, and wakes those who wait for one. */
  look(): void {
    try {
      const { source } = this.#ports
      const { last } = source
      const newest = this.#subscribers.size === 0 ? last : source.newest(this.#looked)
      this.#looked = Math.max(last, newest ?? 0)
      this.#newest = newest ?? this.#newest
      if (newest !== null) for (const subscriber of this.#subscribers) this.#wake(subscriber)
    } catch (cause) {
      this.#ports.onTrouble(cause)
    }
  }

  /** Disconnects stuck subscribers; one that takes little at a time is not stuck. */
  endStuck(): void {
    const now = this.#ports.now()
    for (const subscriber of this.#subscribers) {
      const { waitingSince, taken, sink } = subscriber
      if (waitingSince === null) continue
      if (sink.taken > taken) this.#wait(subscriber, now)
      else if (now - waitingSince >= this.#limits.stuckMs) this.#dismiss(subscriber)
    }
  }

  close(): void {
    this.#ending.abort()
    for (const subscriber of this.#subscribers) this.#dismiss(subscriber)
  }

  #start(subscriber: Subscriber, after: number | null): void {
    subscriber.isStarted = true
    if (after !== null) {
      this.look()
      subscriber.position = Math.min(after, this.#newest)
      subscriber.ahead = after > this.#looked ? after : null
    }
    this.#wake(subscriber)
  }

  #wake(subscriber: Subscriber): void {
    const { isStarted, waitingSince, position, ahead, isFinishing } = subscriber
    const takesMore = isStarted && waitingSince === null && this.#subscribers.has(subscriber)
    if (!takesMore || (position >= this.#newest && ahead === null && !isFinishing)) return
    this.#ready.add(subscriber)
    if (this.#isPumping) return
    this.#isPumping = true
    this.#ports.soon(() => this.#pump())
  }

  /** Serves ready subscribers in turn; one that wants more goes to the end of the line. */
  #pump(): void {
    const until = this.#ports.now() + sliceMs
    for (const subscriber of this.#ready) {
      this.#ready.delete(subscriber)
      this.#serve(subscriber, until)
      if (this.#ports.now() >= until) break
    }
    this.#isPumping = this.#ready.size > 0
    if (this.#isPumping) this.#ports.soon(() => this.#pump())
  }

  #serve(subscriber: Subscriber, until: number): void {
    try {
      const batch = this.#batch(subscriber, until)
      if (batch.length > 0) {
        this.#wait(subscriber, this.#ports.now())
        subscriber.sink.write(batch, () => {
          subscriber.waitingSince = null
          this.#wake(subscriber)
        })
      } else if (subscriber.isFinishing) this.#dismiss(subscriber)
    } catch (cause) {
      this.#ports.onTrouble(cause)
      this.#dismiss(subscriber)
    }
  }

  /** The next batch of a subscriber: at least one line, if there is one. */
  #batch(subscriber: Subscriber, until: number): Line[] {
    const batch: Line[] = []
    if (subscriber.ahead !== null) batch.push(toLine(gap(subscriber.ahead, subscriber.position)))
    subscriber.ahead = null
    for (let bytes = 0; bytes < batchBytes; ) {
      const line = this.#next(subscriber)
      subscriber.position = line?.seq ?? Math.max(subscriber.position, this.#newest)
      if (line === null) break
      batch.push(line)
      bytes += line.json.length
      if (this.#ports.now() >= until) break
    }
    return batch
  }

  #next({ position, agent }: Subscriber): Line | null {
    if (position >= this.#newest) return null
    const known = agent === null ? this.#lines.after(position) : undefined
    if (known !== undefined) return known
    const item = this.#ports.source.next(position, agent)
    if (item === null) return null
    const line = toLine(item)
    if (agent === null) this.#lines.add(position, line)
    return line
  }

  #wait(subscriber: Subscriber, now: number): void {
    subscriber.waitingSince = now
    subscriber.taken = subscriber.sink.taken
  }

  #forget(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
    this.#ready.delete(subscriber)
  }

  #dismiss(subscriber: Subscriber): void {
    this.#forget(subscriber)
    if (subscriber.waitingSince === null) subscriber.sink.end()
    else subscriber.sink.destroy()
  }
}
