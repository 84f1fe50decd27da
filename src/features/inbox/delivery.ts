import {
  type Cadence,
  type CadenceMemory,
  type CadenceSettings,
  decideWake,
  left,
  type Notice,
} from '../../agents/wake/wake.ts'
import type { ContextWatch } from '../../agents/context/context-watch.ts'
import type { InboxNeeds } from './needs.ts'
import { refusals } from '../../agents/hosts/terminal/careful.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { type Agent, hasTerminal } from '../../contract/agent.ts'
import type { Directive, ReceiptState } from '../../contract/directive.ts'
import { ReinError } from '../../contract/errors.ts'
import { contextBudget, contextSeparator } from '../../contract/hooks.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { pollSentence } from '../../contract/wake.ts'
import type { Inbox, StepListener } from './inbox.ts'
import { comesBefore, isHeldAtStop, isKeptBack, isLeftUnread, type Item } from './receipt.ts'
import type { Sightings } from './sightings.ts'
import { after } from '../../base/util/timer.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { describeDelivery } from './delivery-text.ts'
import type { Healing } from '../../agents/healing/healing-watch.ts'
import type { Journal } from '../../contract/logs.ts'

interface Memory extends Omit<CadenceMemory, 'fruitless' | 'isGivenUp'> {
  /** The last wake has led to nothing yet. */
  isUnproven: boolean
  /** Its hooks did not bring it what it was woken for: the wake itself does, as long as none of them is heard anew. */
  isCarried: boolean
}

interface DeliveryParts {
  inbox: Inbox
  sightings: Pick<Sightings, 'hasRead' | 'findSighting' | 'prune'>
  supervisor: Supervisor
  journal: Journal
  healing: Healing
  contexts: Pick<ContextWatch, 'fullness'>
  others: Pick<InboxNeeds, 'team'>
  now: () => number
  cadence: CadenceSettings
}

/** Between inbox and agents: tells the inbox what conversations prove, and wakes agents that have directives waiting. */
export class Delivery implements AgentWatcher, StepListener {
  readonly #parts: DeliveryParts
  readonly #wakes = new Map<string, Memory>()
  readonly #timers = new Map<string, () => void>()
  #isOpen = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  onRead({ id, conversation }: Agent): void {
    const { inbox, sightings, supervisor } = this.#parts
    const view = supervisor.find(id)?.conversation.graph ?? null
    if (view === null || !sightings.hasRead(id) || conversation === null) return
    inbox.observe(id, conversation, (item) => (item.offers.length === 0 ? null : sightings.findSighting(item, view)))
    sightings.prune(id)
    this.consider(id)
  }

  onNewContext(agent: Agent): void {
    this.#parts.inbox.leaveContext(agent.id, 'left_context')
  }

  /** Agents are adopted and requests are served: from now on agents may be woken. */
  start(): void {
    this.#isOpen = true
    for (const { id } of this.#parts.supervisor.agents) this.consider(id)
  }

  onStep({ directive, state }: Item): void {
    const { id } = directive.agent
    if (state === 'queued') this.consider(id)
    if (progress.includes(state)) this.onProgress(id)
  }

  /** A directive has come further: the last wake was not in vain. */
  onProgress(id: string): void {
    this.#memory(id).isUnproven = false
    const agent = this.#parts.supervisor.get(id)
    if (agent !== null) this.#parts.healing.succeeded(agent)
  }

  onChange(agent: Agent, before: Agent | null, record: AnyNewRecord): void {
    if (record.type === 'agent.launched') this.#wakes.set(agent.id, { ...rested, launchedAt: record.at })
    if (before?.health.hooks !== 'heard' && agent.health.hooks === 'heard') this.#memory(agent.id).isCarried = false
    // What is found out about its health is found out in the middle of a wake, or of reading what one led to.
    if (record.type === 'agent.health') this.#considerIn(agent.id, 0)
    else this.consider(agent.id)
  }

  /** Wakes the agent now or as soon as it may be, if something is waiting for it. */
  consider(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    const { inbox, supervisor } = this.#parts
    const agent = supervisor.get(id)
    if (!this.#isOpen || agent === null) return
    const decision = this.#decide(agent)
    if (decision.kind === 'wake') void (decision.why === 'poll' ? this.#poll(agent) : this.#wake(agent))
    // An agent that is left alone on purpose: the newest reason counts.
    if (decision.kind === 'none' && leftAlone.includes(decision.reason))
      for (const item of inbox.openItems(id).filter(isWaiting)) inbox.holdItem(item, decision.reason)
    if (decision.kind === 'wait') this.#considerIn(id, decision.ms)
  }

  /** When and how the agent will get what is about to be told to it. */
  describe(agent: Agent, told: Told): string {
    const { supervisor, inbox, now } = this.#parts
    const isAhead = (item: Item): boolean => isWaiting(item) && comesBefore(item.directive.priority, told.priority)
    return describeDelivery(agent, {
      priority: told.priority,
      can: supervisor.find(agent.id)?.capabilities ?? null,
      decision: this.#decide(agent, [{ ...fromSender(told), since: now() }]),
      way: supervisor.agent(agent.id).wayToWake,
      isBeingWoken: this.#isBeingWoken(agent),
      ahead: inbox.openItems(agent.id).filter(isAhead).length,
    })
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel()
  }

  #isBeingWoken({ id, health }: Agent): boolean {
    const { isUnproven, lastWakeAt } = this.#memory(id)
    return isUnproven && health.failures === 0 && left(lastWakeAt, wakingMs, this.#parts.now()) > 0
  }

  #considerIn(id: string, ms: number): void {
    this.#timers.get(id)?.()
    const cancel = after(ms, () => this.consider(id))
    this.#timers.set(id, cancel)
  }

  #decide(agent: Agent, coming: readonly Notice[] = []): Cadence {
    const { inbox, now, contexts, healing, cadence, others } = this.#parts
    const { id, health } = agent
    const known = this.#memory(id)
    const fruitless = health.failures + (known.isUnproven ? 1 : 0)
    const memory = { ...known, fruitless, isGivenUp: healing.nextAttempt(fruitless) === 'give_up' }
    // What is waiting is only counted for one that could be woken.
    const waiting = agent.state === 'idle' ? inbox.openItems(id) : []
    const notices = waiting.filter((item) => item.state !== 'seen' && !isResting(item)).map(noticeOf)
    if (agent.state === 'idle') notices.push(...coming)
    const settings = { ...cadence, pollMs: others.team.pollMs(id) ?? cadence.pollMs }
    return decideWake({ agent, memory, notices, fullness: contexts.fullness(id) }, settings, now())
  }

  async #wake({ id }: Agent): Promise<void> {
    const { journal, healing, supervisor, inbox, now } = this.#parts
    const memory = this.#memory(id)
    const hasFailed = memory.isUnproven
    Object.assign(memory, { lastWakeAt: now(), isUnproven: true })
    const before = supervisor.get(id)
    // If the last wake led to nothing by now, it will not.
    if (hasFailed && before !== null) healing.failed(before)
    const agent = supervisor.get(id)
    if (agent === null) return
    healing.check(agent)
    journal.write('wake', { agent: id, handle: agent.handle, by: agent.host })
    this.#warnOfTyping(agent)
    // A terminal that is not Rein's takes nothing but the fixed sentence.
    const attempt = agent.host === 'outside' ? 'wake' : healing.nextAttempt(agent.health.failures)
    // Without a transcript nothing could prove that the text arrived.
    if (attempt === 'carry' && agent.transcript !== null) memory.isCarried = true
    const recovery = attempt === 'recover' ? healing.recoveryText(agent) : null
    // Where no prompt hook of this CLI, or of this agent, carries the offers, the wake itself does.
    const carries = supervisor.find(id)?.capabilities.onPrompt === false || memory.isCarried
    const offers = recovery === null && carries ? inbox.claimOffers(id, 'prompt', 'prompt', contextBudget) : []
    const text = recovery ?? offers.map((offer) => offer.text).join(contextSeparator)
    // Only directives of a person and urgent ones interrupt a person who types at the terminal.
    const canWait = !inbox.openItems(id).some((item) => {
      const { sender, priority } = item.directive
      return item.state !== 'seen' && !isLeftUnread(item) && (sender.kind === 'user' || priority === 'urgent')
    })
    try {
      await supervisor.agent(id).wake(text === '' ? null : text, canWait)
      memory.refused = 0
    } catch (cause) {
      // Nothing was tried, so nothing failed.
      Object.assign(memory, { isUnproven: false, refused: memory.refused + 1 })
      const isKnown = cause instanceof ReinError && wakeReasons.includes(cause.message)
      const reason = isKnown ? cause.message : cause instanceof ReinError ? cause.code : 'wake_failed'
      inbox.takeBack(offers, reason)
      journal.write('trouble', { where: 'wake', reason })
      for (const item of inbox.openItems(id)) if (!isKeptBack(item)) inbox.holdItem(item, reason)
    }
    this.consider(id)
  }

  /** Nothing is waiting, and so nothing is proven or missed by it. */
  async #poll(agent: Agent): Promise<void> {
    const { supervisor, journal, now } = this.#parts
    this.#memory(agent.id).lastWakeAt = now()
    journal.write('wake', { agent: agent.id, handle: agent.handle, by: agent.host })
    const onRefused = (cause: unknown): void =>
      journal.write('trouble', { where: 'asking to look around', reason: String(cause) })
    await supervisor.agent(agent.id).wake(pollSentence, true).catch(onRefused)
    this.consider(agent.id)
  }

  /** Typing is the last resort, and may collide with a person at the keyboard: the log says so. */
  #warnOfTyping({ id, handle, host }: Agent): void {
    const way = this.#parts.supervisor.agent(id).wayToWake
    if (!hasTerminal(host) || (way !== 'keys' && way !== 'keys_instead')) return
    this.#parts.journal.write('trouble', {
      where: 'wake',
      reason: `${handle} can only be woken by typing into its terminal`,
    })
  }

  #memory(id: string): Memory {
    const known = this.#wakes.get(id) ?? { ...rested }
    this.#wakes.set(id, known)
    return known
  }
}

/** Only an agent that takes its directives in brings about these states. */
const progress: readonly ReceiptState[] = ['placed', 'seen', 'acked']

/** An agent that was woken begins its turn within this time. */
const wakingMs = 5000

const leftAlone = ['paused', 'limited', 'dialog_open', 'no_evidence']

const rested: Memory = { lastWakeAt: 0, refused: 0, launchedAt: 0, isUnproven: false, isCarried: false }

/** Nothing is done for it before somebody else does something. */
const isResting = (item: Item): boolean => isKeptBack(item) || isLeftUnread(item)

const isWaiting = (item: Item): boolean => (item.state === 'queued' || item.state === 'held') && !isResting(item)

type Told = Pick<Directive, 'sender' | 'priority'>

const senders = { user: 'person', agent: 'agent', channel: 'channel', daemon: 'rein' } as const

const noticeOf = (item: Item): Notice => {
  const { directive, steps } = item
  const isLeftOver = isHeldAtStop(item)
  // What was left over has waited since the stop: the turn before was long, and the next one is not due at once.
  const last = steps.findLast(({ state }) => state === (isLeftOver ? 'held' : 'queued'))
  // A reminder may be gathered with others: it was shown before.
  const isPatient = isLeftOver || last?.reason === 'ack_overdue'
  return { ...(fromTeam(directive) ?? fromSender(directive)), since: last?.at ?? directive.acceptedAt, isPatient }
}

/** A person does not wait; others do, unless it is urgent. Rein itself wakes nobody unless it has to. */
const fromSender = ({ sender, priority }: Told): Omit<Notice, 'since'> => {
  const isPressing = priority === 'urgent' || (sender.kind === 'daemon' && priority === 'high')
  return { urgency: sender.kind === 'user' || isPressing ? 'now' : 'soon', from: senders[sender.kind] }
}

/** In a room only a person does not wait: agents that call each other urgent would never come to rest. */
const fromTeam = ({ origin, sender }: Directive): Omit<Notice, 'since'> | null => {
  if (origin === undefined || 'channel' in origin) return null
  if ('upTo' in origin) return { urgency: origin.isPressing ? 'now' : 'soon', from: origin.by }
  const from = sender.kind === 'daemon' ? 'room' : senders[sender.kind]
  return { urgency: sender.kind === 'user' ? 'now' : 'soon', from }
}

const wakeReasons: readonly string[] = ['no_waiter', ...refusals]
