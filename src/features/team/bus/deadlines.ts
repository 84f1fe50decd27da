import { byRein } from '../../../contract/identity.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import type { BusEvent } from '../../../contract/team.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { Serial } from '../../../base/util/serial.ts'
import { after } from '../../../base/util/timer.ts'
import { type EventItem, givenBack, isForPerson, isOpen, levelOf, pendingFor } from './event.ts'
import { busRecord } from './record.ts'
import { findEvent, nextWake, wakingEvents } from './store.ts'

interface DeadlinePorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  newId(prefix: string): string
  onRedelivered(event: BusEvent, members: string[]): void
  onOverdue(event: BusEvent, level: 1 | 2, members: string[]): void
  onTrouble(where: string, cause: unknown): void
}

const batchSize = 500
const retryMs = 5_000

/** Gives back leases that ran out, and escalates overdue events. One timer, for the next deadline. */
export class Deadlines {
  readonly #ports: DeadlinePorts
  readonly #looks = new Serial()
  #cancel: (() => void) | null = null
  #next = Number.POSITIVE_INFINITY
  #isOn = false

  constructor(ports: DeadlinePorts) {
    this.#ports = ports
  }

  /** Deadlines that passed without a daemon are handled at once. */
  start(): void {
    this.#isOn = true
    void this.#run()
  }

  stop(): void {
    this.#isOn = false
    this.#disarm()
  }

  /** Sets the timer, if this is earlier than the known deadline. */
  expect(at: number | null): void {
    if (at === null || !this.#isOn || at >= this.#next) return
    this.#disarm()
    this.#next = at
    this.#cancel = after(at - this.#ports.now(), () => void this.#run())
  }

  /** Handles everything that is due; one look at a time, so that no one is told twice. */
  look(): Promise<void> {
    return this.#looks.run(async () => {
      const now = this.#ports.now()
      for (;;) {
        const items = wakingEvents(this.#ports.reader, now, batchSize)
        if (items.length === 0) return
        await this.#ports.append(items.flatMap((item) => this.#records(item, now)))
        for (const item of items) this.#tell(item)
        if (items.length < batchSize) return
      }
    })
  }

  async #run(): Promise<void> {
    try {
      await this.look()
      if (this.#isOn) this.#rearm(nextWake(this.#ports.reader))
    } catch (cause) {
      if (!this.#isOn) return
      this.#ports.onTrouble('bus deadlines', cause)
      this.#rearm(this.#ports.now() + retryMs)
    }
  }

  #rearm(at: number | null): void {
    this.#disarm()
    this.expect(at)
  }

  #disarm(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#next = Number.POSITIVE_INFINITY
  }

  #records(item: EventItem, now: number): AnyNewRecord[] {
    const { id, project } = item.event
    const context = { at: now, actor: byRein, project }
    const isOver = item.leasedUntil !== null && item.leasedUntil <= now
    const level = levelOf(isOver ? givenBack(item) : item, now)
    const records: AnyNewRecord[] = []
    if (isOver) {
      const over = { event: id, member: item.leasedBy ?? '', until: now }
      records.push(busRecord('event.leased', over, { ...context, id: this.#ports.newId('rec') }))
    }
    if (level > item.escalated)
      records.push(busRecord('event.escalated', { event: id, level }, { ...context, id: `${id}:escalated:${level}` }))
    return records
  }

  /** Tells about the new state: it may have been acknowledged in the meantime. */
  #tell(before: EventItem): void {
    const item = findEvent(this.#ports.reader, before.event.id)
    if (item === undefined || !isOpen(item)) return
    const members = pendingFor(item)
    try {
      if (before.leasedBy !== null && item.leasedBy === null && !isForPerson(item))
        this.#ports.onRedelivered(item.event, members)
      if (item.escalated > before.escalated) this.#ports.onOverdue(item.event, item.escalated === 1 ? 1 : 2, members)
    } catch (cause) {
      this.#ports.onTrouble('bus deadlines', cause)
    }
  }
}
