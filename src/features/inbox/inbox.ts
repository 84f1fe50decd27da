import { EventEmitter, once } from 'node:events'
import type { Base } from '../../base/base.ts'
import type { Log } from '../../base/log/log.ts'
import { tellLoss } from '../../base/tell-loss.ts'
import { channelOf, type Directive, type OfferVia, type Origin, type Priority } from '../../contract/directive.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef, Evidence } from '../../contract/identity.ts'
import { isDirectiveRecord } from '../../contract/receipt-steps.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { after } from '../../base/util/timer.ts'
import { chooseOffers, lacksProof, type Offer, offerOf, type OfferPoint } from './choose-offers.ts'
import { judgeSighting, type Sighting } from './sightings.ts'
import { partsOf, renderPart } from './fence.ts'
import type { InboxNeeds } from './needs.ts'
import { directiveId, evolve, isClosed, isLeftUnread, type Item, unread } from './receipt.ts'
import { type ShareLimits, shareOf } from './share.ts'
import type { StoredDirectives } from './store.ts'

interface InboxPorts extends Pick<Base, 'journal' | 'now' | 'newId'> {
  log: Pick<Log, 'append'>
  /** Directives as they are on disk. */
  stored: StoredDirectives
  others: Pick<InboxNeeds, 'channels'>
  newNonce: () => string
}

/** Hears each step of each directive. */
export interface StepListener {
  onStep(item: Item, record: AnyNewRecord): void
}

export interface InboxLimits extends ShareLimits {
  maxTextBytes: number
  ackDeadlineMs: number
}

export interface NewDirective {
  id?: string | undefined
  agent: AgentRef
  from: string
  sender: Actor
  type: string
  priority: Priority
  text: string
  expiresInMs: number | null
  origin?: Origin | undefined
}

type DirectiveRecordType = Extract<RecordType, `directive.${string}`>

/** The open directives of every agent: in memory for quick answers, in the log for good. */
export class Inbox {
  readonly #ports: InboxPorts
  readonly #limits: InboxLimits
  readonly #open = new Map<string, Map<string, Item>>()
  /** Being written to disk: they count, and a request with the same id waits for them. */
  readonly #accepting = new Map<string, Promise<Item>>()
  /** How many are open in each share of each inbox. */
  readonly #counts = new Map<string, number>()
  readonly #deadlines = new Map<string, () => void>()
  /** Directives whose acknowledgement is almost overdue: they are requeued together with the first that is. */
  readonly #almostOverdue = new Set<string>()
  readonly #expiries = new Map<string, () => void>()
  readonly #listeners: StepListener[] = []
  readonly #followed = new EventEmitter().setMaxListeners(0)

  constructor(ports: InboxPorts, limits: InboxLimits) {
    this.#ports = ports
    this.#limits = limits
    for (const item of ports.stored.load()) this.#remember(item)
  }

  /** Listeners hear of each step in the order in which they were added. */
  listen(listener: StepListener): void {
    this.#listeners.push(listener)
  }

  /** Resolves when something becomes of this directive, or when `signal` is aborted. */
  async nextStep(id: string, signal: AbortSignal): Promise<void> {
    await once(this.#followed, id, { signal }).catch(() => undefined)
  }

  /** Directives accepted since this daemon started. */
  acceptedCount = 0

  get openCount(): number {
    return [...this.#open.values()].reduce((sum, items) => sum + items.size, 0)
  }

  /** What is open for one agent, or for all. */
  openItems(agent: string | null): Item[] {
    if (agent !== null) return [...(this.#open.get(agent)?.values() ?? [])]
    return [...this.#open.values()].flatMap((items) => [...items.values()])
  }

  /** Forgets what it remembers and reads what is written down: after the tables were made anew. */
  reload(): void {
    this.stop()
    this.#open.clear()
    this.#counts.clear()
    this.#deadlines.clear()
    this.#almostOverdue.clear()
    this.#expiries.clear()
    for (const item of this.#ports.stored.load()) this.#remember(item)
  }

  /** Whether one of them matches; looks no further than it has to. */
  hasOpen(agent: string, match: (item: Item) => boolean): boolean {
    for (const item of this.#open.get(agent)?.values() ?? []) if (match(item)) return true
    return false
  }

  isOpen(agent: string, id: string): boolean {
    return this.#open.get(agent)?.has(id) ?? false
  }

  /** What is remembered is newer than what is written down. */
  current(item: Item): Item {
    return this.#open.get(item.directive.agent.id)?.get(item.directive.id) ?? item
  }

  /** Resolves when it is on disk: only then is it accepted. The same id again is the same directive. */
  async accept(given: NewDirective): Promise<Item> {
    const pending = this.#accepting.get(given.id ?? '')
    if (pending !== undefined) return this.#same(await pending, given)
    const known = given.id === undefined ? undefined : this.#ports.stored.find(given.id)
    if (known !== undefined) return this.#same(known, given)
    this.#refuseUnfit(given)
    const { id = this.#ports.newId('dir'), agent, from, sender, type, priority, text, expiresInMs, origin } = given
    const acceptedAt = this.#ports.now()
    const directive: Directive = {
      id,
      agent,
      from,
      sender,
      type,
      priority,
      text,
      nonce: this.#ports.newNonce(),
      acceptedAt,
      expiresAt: expiresInMs === null ? null : acceptedAt + expiresInMs,
      ...(origin === undefined ? {} : { origin }),
    }
    this.#count(directive, 1)
    const record = this.#record(directive, sender, 'directive.accepted', { directive })
    const accepted = this.#append(record).then((seq) => {
      this.acceptedCount += 1
      return this.#apply({ ...record, seq })
    })
    this.#accepting.set(directive.id, accepted)
    return accepted.finally(() => {
      this.#accepting.delete(directive.id)
      this.#count(directive, -1)
    })
  }

  /**
   * Chooses what to show now and marks it as offered, so that no parallel hook shows it, too.
   * `mode`: how the agent says that it asks before its tools run.
   * The items are as the offers have left them: that tells them from later ones.
   */
  claimOffers(agent: string, point: OfferPoint, via: OfferVia, room: number, mode?: string): Offer[] {
    const items = this.openItems(agent)
    for (const item of items) if (!this.mayShow(item, mode)) this.holdItem(item, 'bypass_mode')
    const offers = chooseOffers(
      items.filter((item) => this.mayShow(item, mode)),
      point,
      room,
    )
    return offers.map((offer) => {
      const { item, part, partCount, isReminder } = offer
      const claimed = isReminder
        ? this.#note(item, 'directive.held', { reason: unread })
        : this.#noteOffer(item, via, [part], partCount)
      return { ...offer, item: claimed }
    })
  }

  /** Text from outside is kept from an agent that runs its tools without asking. */
  mayShow({ directive: { agent, origin } }: Item, mode?: string): boolean {
    return origin === undefined || this.#ports.others.channels.mayHear(agent.id, channelOf(origin), mode)
  }

  /** The offers could not be handed over after all; what was offered again since, or read, stays so. */
  takeBack(offers: readonly Pick<Offer, 'item' | 'isReminder'>[], reason: string): void {
    for (const { item, isReminder } of offers) {
      const { id, agent } = item.directive
      const now = this.#open.get(agent.id)?.get(id)
      if (now === undefined) continue
      const isStillOffered = now.state === 'offered' && now.offers === item.offers
      if (isReminder ? isLeftUnread(now) : isStillOffered) this.#note(now, 'directive.requeued', { reason })
    }
  }

  /** The text of an urgent directive, in place of the tool call that it stops; null if it was just given. */
  takeUrgent(item: Item): Pick<Offer, 'item' | 'text' | 'isReminder'> | null {
    if (item.state === 'offered' && !lacksProof(item)) return null
    const { text, part, partCount, isReminder } = offerOf(item)
    const claimed = this.#noteOffer(item, 'denial', [part], partCount)
    const said = `Not run. Read this first, then decide whether the call is still right:\n${text}`
    return { item: claimed, text: said, isReminder }
  }

  /** Gives parts to read; what an agent reads of its own directive counts as handed to it. */
  read(
    item: Item,
    reader: Actor,
    wanted: number | null,
    perCall: number,
  ): { parts: number[]; partCount: number; text: string } {
    const partCount = partsOf(item.directive).length
    const all = [...Array(partCount).keys()].map((n) => n + 1)
    const isOwn = reader.kind === 'agent' && reader.id === item.directive.agent.id
    if (!isOwn) return { parts: all, partCount, text: item.directive.text }
    if (wanted !== null && wanted > partCount) throw new ReinError('usage', `There are ${partCount} parts.`)
    const given = new Set(item.offers.map((offer) => offer.part))
    const left = all.filter((part) => !given.has(part))
    const parts = wanted === null ? (left.length === 0 ? all : left).slice(0, perCall) : [wanted]
    // Reading again what stands in the conversation already changes nothing.
    if (!isClosed(item) && item.state !== 'placed' && item.state !== 'seen')
      this.#noteOffer(item, 'read', parts, partCount)
    const more = howToReadOn(item, parts, partCount)
    return { parts, partCount, text: [...parts.map((part) => renderPart(item.directive, part)), ...more].join('\n\n') }
  }

  /** Records what the conversation proves, or proves missing. */
  observe(agent: string, conversation: string, look: (item: Item) => Sighting | null): void {
    for (const item of this.openItems(agent)) {
      const sighting = look(item)
      if (sighting === null) continue
      for (const { kind, ...body } of judgeSighting(item, sighting, conversation)) {
        this.#note(this.current(item), `directive.${kind}`, body)
      }
    }
  }

  /** The agent has lost its context (new conversation, process ended): its directives have to be offered again. */
  leaveContext(agent: string, reason: string): void {
    for (const item of this.openItems(agent)) {
      if (item.offers.length > 0) this.#note(item, 'directive.requeued', { reason })
    }
  }

  /** `reason`: why the directive waits. */
  holdItem(item: Item, reason: string): void {
    if (isLeftUnread(item) && reason !== 'bypass_mode') return
    const isOtherwise = item.state === 'held' && item.steps.at(-1)?.reason !== reason
    if (item.state === 'queued' || isOtherwise || lacksProof(item)) this.#note(item, 'directive.held', { reason })
  }

  /** An ack is accepted once, from the agent it was for, or from the user. */
  async ack(item: Item, actor: Actor, note: string | undefined, evidence: Evidence): Promise<Item> {
    if (actor.kind === 'agent' && actor.id !== item.directive.agent.id) {
      throw new ReinError(
        'wrong_agent',
        `${item.directive.id} is for ${item.directive.agent.handle}, not for ${actor.handle}.`,
      )
    }
    if (item.state === 'acked') return item
    return this.#close(item, actor, 'directive.acked', { evidence, ...(note === undefined ? {} : { note }) })
  }

  cancel(item: Item, actor: Actor): Promise<Item> {
    return this.#close(item, actor, 'directive.cancelled', {})
  }

  /** The agent is gone for good: its directives fail. */
  end(agent: string, reason: string): void {
    for (const item of this.openItems(agent)) this.#note(item, 'directive.failed', { reason })
  }

  stop(): void {
    for (const cancel of [...this.#deadlines.values(), ...this.#expiries.values()]) cancel()
  }

  /** Resolves with its number when the record is on disk. */
  async #append(record: AnyNewRecord): Promise<number> {
    const { log, journal } = this.#ports
    const [seq = 0] = await log.append([record]).catch(tellLoss(journal, 'inbox'))
    // A closed directive is no longer in memory: followers can read its last step only now.
    this.#followed.emit(record.cause ?? '')
    return seq
  }

  #same(known: Item, given: NewDirective): Item {
    if (known.directive.text === given.text && known.directive.agent.id === given.agent.id) return known
    throw new ReinError('refused', `${known.directive.id} is another directive already.`)
  }

  #refuseUnfit(given: NewDirective): void {
    if (given.text.trim() === '') throw new ReinError('empty_text', 'There is no text to tell.')
    if (/\p{Surrogate}/u.test(given.text)) throw new ReinError('invalid_text', 'The text is not valid Unicode.')
    const bytes = Buffer.byteLength(given.text)
    if (bytes > this.#limits.maxTextBytes) {
      throw new ReinError(
        'text_too_large',
        `The text has ${bytes} bytes; ${this.#limits.maxTextBytes} are possible.`,
        'Put it into a file and tell the agent its path.',
      )
    }
    const { agent, sender } = given
    const { name, limit, whose, setting } = shareOf(sender, this.#limits)
    if ((this.#counts.get(`${agent.id} ${name}`) ?? 0) < limit) return
    const hint = sender.kind === 'user' ? 'Cancel some, or wait' : 'Wait'
    throw new ReinError(
      'inbox_full',
      `${agent.handle} has ${limit} open directives ${whose} already (${setting}).`,
      `${hint} until it has taken them in.`,
    )
  }

  #noteOffer(item: Item, via: OfferVia, parts: number[], partCount: number): Item {
    const attempt = via === 'read' ? item.attempts : item.attempts + 1
    return this.#note(item, 'directive.offered', { attempt, via, parts, partCount })
  }

  /** Applied before it is on disk: if the record is lost, the directive is only shown once more. */
  #note<T extends DirectiveRecordType>(item: Item, type: T, body: RecordBody<T>): Item {
    const record = this.#record(item.directive, { kind: 'daemon' }, type, body)
    const noted = this.#apply({ ...record, seq: item.seq })
    void this.#append(record).catch(() => undefined)
    return noted
  }

  async #close<T extends 'directive.acked' | 'directive.cancelled'>(
    item: Item,
    actor: Actor,
    type: T,
    body: RecordBody<T>,
  ): Promise<Item> {
    const { id, agent } = item.directive
    if (isClosed(item)) throw new ReinError('already_closed', `${id} is ${item.state} already.`)
    const record = this.#record(item.directive, actor, type, body)
    await this.#append(record)
    if (this.isOpen(agent.id, id)) return this.#apply({ ...record, seq: item.seq })
    // Another caller closed it while this was being written: the first one counts.
    const found = this.#ports.stored.find(id)
    if (found !== undefined && type === `directive.${found.state}`) return found
    throw new ReinError('already_closed', `${id} is ${found?.state ?? 'closed'} already.`)
  }

  #record<T extends DirectiveRecordType>(
    directive: Directive,
    actor: Actor,
    type: T,
    body: RecordBody<T>,
  ): AnyNewRecord {
    const { agent } = directive
    const id = type === 'directive.accepted' ? directive.id : this.#ports.newId('rec')
    const context = { id, at: this.#ports.now(), actor, agent: agent.id, project: agent.project, cause: directive.id }
    return newRecord(type, body, context) as AnyNewRecord
  }

  #apply(record: AnyNewRecord & { seq: number }): Item {
    if (!isDirectiveRecord(record)) throw new Error(`${record.type} is no record of a directive.`)
    const id = directiveId(record)
    const item = evolve(this.#open.get(record.agent ?? '')?.get(id), record)
    if (item === undefined) throw new ReinError('unknown_directive', `There is no open directive ${id}.`)
    this.#remember(item)
    for (const one of this.#listeners) one.onStep(item, record)
    this.#followed.emit(id)
    return item
  }

  #remember(item: Item): void {
    const { id, agent } = item.directive
    const items = this.#open.get(agent.id) ?? new Map<string, Item>()
    this.#open.set(agent.id, items)
    this.#count(item.directive, Number(!isClosed(item)) - Number(items.has(id)))
    if (isClosed(item)) items.delete(id)
    else items.set(id, item)
    if (items.size === 0) this.#open.delete(agent.id)
    this.#setTimers(item)
  }

  #count(directive: Directive, change: number): void {
    const share = `${directive.agent.id} ${shareOf(directive.sender, this.#limits).name}`
    const count = (this.#counts.get(share) ?? 0) + change
    if (count === 0) this.#counts.delete(share)
    else this.#counts.set(share, count)
  }

  /** Timers run on a clock that does not jump: nothing expires early because the wall clock was moved. */
  #setTimers(item: Item): void {
    const { id, expiresAt } = item.directive
    this.#deadlines.get(id)?.()
    this.#deadlines.delete(id)
    this.#almostOverdue.delete(id)
    if (isClosed(item)) {
      this.#expiries.get(id)?.()
      this.#expiries.delete(id)
      return
    }
    if (expiresAt !== null && !this.#expiries.has(id)) {
      this.#expiries.set(
        id,
        after(expiresAt - this.#ports.now(), () => void this.#note(this.current(item), 'directive.expired', {})),
      )
    }
    // What is left unread is not told again by itself.
    if (item.offers.length > 0 && !isLeftUnread(item)) this.#awaitAck(item)
  }

  #awaitAck({ directive: { id, agent }, attempts }: Item): void {
    // Doubles with each attempt: an agent that does not acknowledge is not nagged for ever.
    const patience = this.#limits.ackDeadlineMs * 2 ** Math.max(0, attempts - 1)
    const wait = (part: number, then: () => void): void => void this.#deadlines.set(id, after(part * patience, then))
    wait(1 - gatheredPart, () => {
      this.#almostOverdue.add(id)
      wait(gatheredPart, () => {
        // All that are almost overdue are asked for together: one wake, not one for each.
        for (const item of this.openItems(agent.id))
          if (this.#almostOverdue.has(item.directive.id))
            this.#note(item, 'directive.requeued', { reason: 'ack_overdue' })
      })
    })
  }
}

/** The last part of the time for an acknowledgement, in which it may be asked for together with others. */
const gatheredPart = 0.1

/** Without a number the command goes on where the reader is; once everything was given, it has to be told where. */
const howToReadOn = ({ directive, offers }: Item, parts: readonly number[], partCount: number): string[] => {
  const next = (parts.at(-1) ?? partCount) + 1
  if (next > partCount) return []
  const given = new Set([...offers.map(({ part }) => part), ...parts])
  const where = given.size < partCount ? '' : ` --part ${next}`
  return [`For the rest run: rein inbox read ${directive.id}${where}`]
}
