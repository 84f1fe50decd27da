import { ReinError } from '../../../contract/errors.ts'
import type { Actor, AgentRef } from '../../../contract/identity.ts'
import { chooseId } from '../../../contract/ids.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import { userMember } from '../../../contract/person.ts'
import { type BusEvent, memberOf } from '../../../contract/team.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { KeyedSerial } from '../../../base/util/serial.ts'
import { Deadlines } from './deadlines.ts'
import { type AckTimes, dedupKey, type EventItem, isDuplicate, isOpen, mayAck, pendingFor } from './event.ts'
import { type NewEvent, newEvent } from './new-event.ts'
import { busRecord } from './record.ts'
import { type Pruned, type PruneRequest, Retention } from './retention.ts'
import {
  eventsNamed,
  type BusStatus,
  busStatus,
  countPending,
  type EventCounts,
  findByDedup,
  findEvent,
  keptEvents,
  newestPending,
  pendingEvents,
} from './store.ts'
import { typeOf } from './types.ts'

/** The ports of the bus. */
export interface BusPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  /** The agents of the project that watch this type. */
  recipients(project: string, type: string, isAmbient: boolean, publisher: string | null): AgentRef[]
  agent(id: string): AgentRef | null
  now(): number
  newId(prefix: string): string
  onPublished(event: BusEvent, recipients: string[], seq: number): void
  /** Its lease ran out without an acknowledgement: these may take it now. */
  onRedelivered(event: BusEvent, members: string[]): void
  /** It was not acknowledged in time: tell these again (1), or a person (2). */
  onOverdue(event: BusEvent, level: 1 | 2, members: string[]): void
  onTrouble(where: string, cause: unknown): void
}

export interface BusLimits extends AckTimes {
  maxPayloadBytes: number
  dedupWindowMs: number
  retentionBytes: number
  leaseMs: number
}

interface Published {
  event: BusEvent
  recipients: string[]
  /** The same event existed already: this is that one. */
  isDuplicate: boolean
}

interface OpenEvents {
  /** Most pressing first, then in order. */
  events: EventItem[]
  /** How many more match. */
  left: number
  /** All that are open, of any type. */
  counts: EventCounts
}

interface Selection {
  type?: string | undefined
  limit: number
}

/** So many are acknowledged before the event loop gets a turn. */
const batchSize = 500

/** The typed messages of a project's team: their recipients, acknowledgements and deadlines. */
export class Bus {
  readonly #ports: BusPorts
  readonly #limits: BusLimits
  readonly #deadlines: Deadlines
  readonly #retention: Retention
  /** By key: an event waits for the one before, to see whether it is the same. */
  readonly #publishing = new KeyedSerial()

  constructor(ports: BusPorts, limits: BusLimits) {
    this.#ports = ports
    this.#limits = limits
    this.#deadlines = new Deadlines(ports)
    this.#retention = new Retention(ports, limits)
  }

  start(): void {
    this.#deadlines.start()
  }

  stop(): void {
    this.#deadlines.stop()
  }

  /** The tables were made anew. */
  reload(): void {
    this.#deadlines.stop()
    this.#deadlines.start()
  }

  /** Resolves when it is on disk. */
  async publish(given: NewEvent): Promise<Published> {
    const event = this.#event(given)
    const key = dedupKey(event) ?? given.id
    return key === undefined
      ? this.#publish(event)
      : this.#publishing.run(`${event.project} ${key}`, () => this.#publish(event))
  }

  /** The record of an event, for a caller that appends it with others and then calls `announce`. */
  record(given: NewEvent & { id: string }): AnyNewRecord {
    const event = this.#event(given)
    return this.#published(event, this.#recipients(event))
  }

  /** The event is on disk: tells its recipients and starts its deadline. */
  announce(id: string): void {
    const item = this.find(id)
    if (item === null) return
    this.#deadlines.expect(item.event.due)
    this.#retention.check(item.event.project)
    try {
      this.#ports.onPublished(item.event, item.recipients, item.seq)
    } catch (cause) {
      this.#ports.onTrouble('bus', cause)
    }
  }

  /** The open events of a member, or (null) of everyone in the project. */
  open(project: string, member: string | null, { type, limit }: Selection): OpenEvents {
    const { reader } = this.#ports
    const events = pendingEvents(reader, { project, member, type, limit })
    const matching = Object.values(countPending(reader, { project, member, type })).reduce((sum, n) => sum + n, 0)
    return { events, left: matching - events.length, counts: countPending(reader, { project, member }) }
  }

  /** The newest kept events, done or not, oldest first, and how many more there are. */
  kept(project: string, { type, limit }: Selection): { events: EventItem[]; left: number } {
    return keptEvents(this.#ports.reader, project, type ?? null, limit)
  }

  /** The event of a project that a typed part of its id means. */
  resolve(project: string, given: string): string {
    const found = eventsNamed(this.#ports.reader, given)
    return chooseId(
      given,
      found.filter((id) => this.find(id)?.event.project === project),
    )
  }

  find(id: string): EventItem | null {
    return findEvent(this.#ports.reader, id) ?? null
  }

  status(project: string): BusStatus {
    return busStatus(this.#ports.reader, project, this.#ports.now())
  }

  /** Its place in the log; 0 if nothing is pending. */
  newestPendingSeq(member: string): number {
    const project = this.#ports.agent(member)?.project
    return project === undefined ? 0 : newestPending(this.#ports.reader, project, member)
  }

  /** The pending events of a member; of those with delivery `once` only one, leased to it, so that others can take the rest. */
  async take(project: string, member: string, wanted: Selection & { id?: string | undefined }): Promise<EventItem[]> {
    await this.#deadlines.look()
    for (;;) {
      const { id, ...selection } = wanted
      const asked = id === undefined ? null : this.#known(id)
      const found =
        asked === null
          ? pendingEvents(this.#ports.reader, { project, member, ...selection })
          : [asked].filter((item) => pendingFor(item).includes(member))
      const mine = found.filter(({ event, leasedBy }) => event.delivery === 'each' || leasedBy === member)
      const held = mine.filter(({ event }) => event.delivery === 'once')
      const [free] = found.filter((item) => !mine.includes(item))
      // Reading again extends the lease.
      if (held.length > 0) await this.#lease(held, member)
      if (free === undefined || held.length > 0) return mine.map(({ event }) => this.#known(event.id))
      await this.#lease([free], member)
    }
  }

  /** Returns the ids that this member has acknowledged, now or before. A user acknowledges for everyone. */
  async ack(project: string, member: string, ids: readonly string[] | 'all', actor: Actor): Promise<string[]> {
    if (ids !== 'all') {
      const items = [...new Set(ids)].map((id) => this.#known(id))
      for (const item of items) {
        if (mayAck(item, member, this.#ports.now())) continue
        const { id } = item.event
        if (!item.recipients.includes(member))
          throw new ReinError('wrong_agent', `${id} is not for ${this.#name(member)}.`)
        throw new ReinError(
          'wrong_agent',
          `${this.#name(item.leasedBy ?? '')} has taken ${id}, and still has time for it.`,
          'It comes back if nothing is heard of it.',
        )
      }
      return this.#ack(items, member, actor)
    }
    const acked: string[] = []
    const whose = member === userMember ? null : member
    for (let after: EventItem | undefined; ; ) {
      const page = pendingEvents(this.#ports.reader, { project, member: whose, after, limit: batchSize })
      // An event for one agent that was not taken is left for the one that takes it.
      const mine = page.filter(
        ({ event, leasedBy }) => whose === null || event.delivery === 'each' || leasedBy === whose,
      )
      acked.push(...(await this.#ack(mine, member, actor)))
      after = page.at(-1)
      if (page.length < batchSize) return acked
    }
  }

  /** Removes what is done: older than this, or the oldest down to so many bytes; down to what is kept anyway if neither is given. */
  prune(project: string, request: PruneRequest): Promise<Pruned> {
    return this.#retention.prune(project, request)
  }

  #event(given: NewEvent): BusEvent {
    return newEvent(given, { id: given.id ?? this.#ports.newId('evt'), at: this.#ports.now() }, this.#limits)
  }

  async #publish(event: BusEvent): Promise<Published> {
    const key = dedupKey(event)
    let known = this.find(event.id)
    if (known === null && key !== null) {
      const first = findByDedup(this.#ports.reader, event.project, key)
      if (first !== undefined && isDuplicate(first.event, event.at, this.#limits.dedupWindowMs)) known = first
    }
    if (known !== null) return { event: known.event, recipients: known.recipients, isDuplicate: true }
    const recipients = this.#recipients(event)
    await this.#ports.append([this.#published(event, recipients)])
    this.announce(event.id)
    return { event, recipients, isDuplicate: false }
  }

  /** The current watchers; later ones get later events. */
  #recipients({ project, type, to, from }: BusEvent): string[] {
    if (to !== null) return [to.id]
    const publisher = memberOf(from)
    const watching = this.#ports.recipients(project, type, typeOf(type).isAmbient, publisher)
    return [...new Set(watching.map(({ id }) => id))].filter((id) => id !== publisher)
  }

  #published(event: BusEvent, recipients: string[]): AnyNewRecord {
    const context = { id: `${event.id}:published`, at: event.at, actor: event.from, project: event.project }
    return busRecord('event.published', { event, recipients }, context)
  }

  async #lease(items: readonly EventItem[], member: string): Promise<void> {
    const at = this.#ports.now()
    const until = at + this.#limits.leaseMs
    const handle = this.#ports.agent(member)?.handle ?? member
    const records = items.map(({ event }) => {
      const actor = { kind: 'agent' as const, id: member, handle }
      const context = { id: this.#ports.newId('rec'), at, actor, project: event.project }
      return busRecord('event.leased', { event: event.id, member, until }, context)
    })
    await this.#ports.append(records)
    this.#deadlines.expect(until)
  }

  #known(id: string): EventItem {
    const item = this.find(id)
    if (item === null) throw new ReinError('unknown_event', `There is no event ${id}.`, 'List them: rein bus check')
    return item
  }

  async #ack(items: readonly EventItem[], member: string, actor: Actor): Promise<string[]> {
    const open = items.filter((item) => isOpen(item) && !item.acked.includes(member))
    const at = this.#ports.now()
    const records = open.map(({ event: { id, project } }) =>
      busRecord('event.acked', { event: id, member }, { id: this.#ports.newId('rec'), at, actor, project }),
    )
    if (records.length > 0) await this.#ports.append(records)
    for (const project of new Set(open.map(({ event }) => event.project))) this.#retention.check(project)
    return items.map(({ event }) => event.id).filter((id) => this.find(id)?.acked.includes(member) ?? false)
  }

  #name(member: string): string {
    return this.#ports.agent(member)?.handle ?? member
  }
}
