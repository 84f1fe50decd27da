import { wakeDelay, type WakeMemory } from '../agents/wake.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { Priority } from '../contract/directive.ts'
import { ReinError } from '../contract/errors.ts'
import { contextBudget, contextSeparator } from '../contract/hooks.ts'
import type { Offer } from '../inbox/decide.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Item } from '../inbox/receipt.ts'
import { Sightings } from '../inbox/sightings.ts'
import { after } from '../util/timer.ts'
import type { Journal } from './journal.ts'

/** Wakes in a row after which the text never showed up: its hooks are off, or something drops their context. */
const maxFruitless = 5

interface Memory extends WakeMemory {
  /** Why the last wake could not even be tried. */
  refused: string | null
}

export interface DeliveryParts {
  inbox: Inbox
  supervisor: Supervisor
  journal: Journal
  now(): number
  quietMs: number
}

/** Between inbox and agents: reads evidence from conversations, and wakes who has something waiting. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #sightings = new Map<string, Sightings>()
  readonly #wakes = new Map<string, Memory>()
  readonly #timers = new Map<string, () => void>()
  #isOpen = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  onEntry(agent: Agent, entry: ConversationEntry): void {
    const known = this.#sightings.get(agent.id) ?? new Sightings()
    this.#sightings.set(agent.id, known)
    known.index(entry)
  }

  onRead(agent: Agent): void {
    const { inbox, supervisor } = this.#parts
    const view = supervisor.conversation(agent.id)
    const sightings = this.#sightings.get(agent.id)
    if (view === null || sightings === undefined || agent.conversation === null) return
    inbox.observe(agent.id, agent.conversation, (item) =>
      item.offers.length === 0 ? null : sightings.look(item, view),
    )
    this.consider(agent.id)
  }

  onNewContext(agent: Agent): void {
    this.#sightings.delete(agent.id)
    this.#parts.inbox.leaveContext(agent.id, 'left_context')
  }

  /** Agents are taken over and the doors are open: from now on they may be woken. */
  start(): void {
    this.#isOpen = true
    for (const { id } of this.#parts.supervisor.agents) this.consider(id)
  }

  /** A directive has come further: waking this agent is not in vain. */
  onProgress(id: string): void {
    this.#memory(id).fruitless = 0
  }

  /** Wakes the agent now or as soon as it may be, if something is waiting for it. */
  consider(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    const agent = this.#parts.supervisor.get(id)
    if (!this.#isOpen || agent === null) return
    const delay = wakeDelay(agent, this.#memory(id), this.#parts.quietMs, this.#parts.now())
    if (delay === null || !this.#isWanted(id)) return
    if (delay > 0)
      this.#timers.set(
        id,
        after(delay, () => this.consider(id)),
      )
    else void this.#wake(agent)
  }

  /** When and how the agent will get what is told to it now. */
  describe(agent: Agent, priority: Priority): string {
    return this.#way(agent, priority).replaceAll('%', agent.handle)
  }

  #way(agent: Agent, priority: Priority): string {
    const can = this.#parts.supervisor.capabilities(agent.id)
    if (agent.state === 'working' && can?.afterTool === false && !can.onStop) return describeDeaf
    if (agent.state === 'working' && priority === 'urgent' && can?.deny !== false) return describeUrgent
    const delay = wakeDelay(agent, this.#memory(agent.id), this.#parts.quietMs, this.#parts.now())
    if (delay !== null && delay > describedMs) return `${describeLater} ${Math.ceil(delay / 1000)} s.`
    return describeState[agent.state]
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel()
  }

  async #wake(agent: Agent): Promise<void> {
    const memory = this.#memory(agent.id)
    if (memory.fruitless >= maxFruitless) return this.#holdAll(agent.id, memory.refused ?? 'no_evidence')
    memory.lastWakeAt = this.#parts.now()
    memory.fruitless += 1
    this.#parts.journal.write('wake', { agent: agent.id, handle: agent.handle, by: agent.host })
    this.#warnOfTyping(agent)
    const offers = this.#carried(agent.id)
    const text = offers.map((offer) => offer.text).join(contextSeparator)
    try {
      await this.#parts.supervisor.wake(agent.id, text === '' ? null : text)
      memory.refused = null
    } catch (cause) {
      memory.refused = heldReason(cause)
      this.#parts.inbox.takeBack(offers, heldReason(cause))
      this.#holdAll(agent.id, heldReason(cause))
    }
    this.consider(agent.id)
  }

  /** The last resort, and the only one that could meet a person's hands: whoever reads the log is to know. */
  #warnOfTyping({ id, handle, host }: Agent): void {
    if (host !== 'tmux' || this.#parts.supervisor.capabilities(id)?.wakeIdle !== false) return
    this.#parts.journal.write('trouble', {
      where: 'wake',
      reason: `${handle} can only be woken by typing into its terminal`,
    })
  }

  /** What the wake itself has to carry, because no prompt hook of this CLI would. */
  #carried(id: string): Offer[] {
    const { supervisor, inbox } = this.#parts
    if (supervisor.capabilities(id)?.onPrompt !== false) return []
    return inbox.take(id, 'prompt', 'prompt', contextBudget)
  }

  /** Nobody is told that it is on its way when it is not. */
  #holdAll(id: string, reason: string): void {
    this.#parts.journal.write('trouble', { where: 'wake', reason })
    for (const item of this.#parts.inbox.openItems(id)) this.#parts.inbox.hold(item, reason)
  }

  /** What was given up waits for a person; everything else is worth a turn. */
  #isWanted(id: string): boolean {
    return this.#parts.inbox.hasOpen(id, (item) => item.state !== 'seen' && !isGivenUp(item))
  }

  #memory(id: string): Memory {
    const known = this.#wakes.get(id) ?? { lastWakeAt: 0, fruitless: 0, refused: null }
    this.#wakes.set(id, known)
    return known
  }
}

/** Held for a reason that another wake would not change. */
const isGivenUp = ({ state, steps }: Item): boolean =>
  state === 'held' && ['stop_limit', 'no_evidence'].includes(steps.at(-1)?.reason ?? '')

const wakeReasons = ['no_waiter', 'not_ready']

const heldReason = (cause: unknown): string => {
  if (!(cause instanceof ReinError)) return 'wake_failed'
  return wakeReasons.includes(cause.message) ? cause.message : cause.code
}

/** A shorter wait than this is not worth a word. */
const describedMs = 2000
const describeLater = '% is idle: it is left alone for a moment, and woken for this in'
const describeDeaf = '% is working: it gets this when it is done, because its hooks carry nothing in between.'
const describeUrgent = '% is working: its next tool calls are stopped until it has read this.'

const describeState: Record<Agent['state'], string> = {
  starting: '% is starting: it gets this with its first prompt.',
  idle: '% is idle: it is woken now and gets this at once.',
  working: '% is working: it gets this after its current tool calls, or when it is about to stop.',
  awaiting_permission: '% waits for a permission: it gets this after somebody answers (rein answer % allow).',
  awaiting_answer: '% waits for an answer: it gets this after somebody answers (rein answer % TEXT).',
  limited: '% is held up by a rate limit: it gets this when it works again.',
  paused: '% is paused: it gets this when it goes on.',
  looping: '% seems to be in a loop: it gets this after its current tool calls.',
  stopped: '% is not running: this waits until it is started (rein up % --continue).',
  crashed: '% has crashed: this waits until it is started again (rein up % --continue).',
}
