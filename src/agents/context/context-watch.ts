import {
  type ContextLimits,
  type ContextProgress,
  type ContextStep,
  decideContext,
  freshPrompt,
  fullnessOf,
  handoverRequest,
  isEmptied,
  nothingDone,
  warning,
} from './context-steps.ts'
import type { Supervisor } from '../supervisor.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { Responder } from '../../contract/hooks.ts'
import type { Priority } from '../../contract/directive.ts'
import type { AgentRef } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { type ContextUse, contextUse } from '../../drivers/context-window.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { after } from '../../base/util/timer.ts'
import type { AgentWatcher } from '../agent-events.ts'
import { handoverPath, handoverWrittenAt, prepareHandover, readHandover } from './handover.ts'
import type { Journal } from '../../contract/logs.ts'

/** What a task has to do with an agent whose context is full. */
export interface Handovers {
  /** What it wrote for itself is kept with its task, too; what goes wrong there is told in the log. */
  keep(agent: Agent, text: string): Promise<void>
  /** What its fresh conversation has to know of the task; null for one without. */
  reminder(agent: Agent): string | null
}

export interface ContextWatchParts {
  supervisor: Supervisor
  /** Puts what Rein says into the inbox of an agent. */
  say: (
    agent: AgentRef,
    words: { type: string; priority: Priority; text: string; expiresInMs: number | null },
  ) => Promise<unknown>
  /** Takes back what Rein said in words of these types. */
  withdraw: (agent: string, types: readonly string[]) => Promise<void>
  journal: Journal
  now: () => number
  limits: ContextLimits
  /** Tokens that somebody said fit; 0 takes what is known about the model. */
  setWindow: number
  /** The newest records about an agent, oldest first. */
  records: (id: string) => AnyRecord[]
  handovers: Handovers
}

/** The types of what it says to agents. */
const [warningType, handoverType] = ['context-warning', 'handover']
const warningLifeMs = 3_600_000
/** One that a person is at is looked at again after this. */
const inUseMs = 30_000

/** Follows how full the agents' contexts are: warns, asks for a handover, and lets go on in a fresh conversation. */
export class ContextWatch implements AgentWatcher {
  readonly #parts: ContextWatchParts
  readonly #use = new Map<string, ContextUse>()
  readonly #done = new Map<string, ContextProgress>()
  readonly #timers = new Map<string, () => void>()
  readonly #rotating = new Set<string>()
  /** Full again too soon, which was said already. */
  readonly #braked = new Set<string>()
  #isOpen = false

  constructor(parts: ContextWatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOpen = Math.max(...Object.values(this.#parts.limits)) > 0
    for (const agent of this.#parts.supervisor.agents) this.#consider(agent)
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel()
  }

  /** From 0 to 1; null if that is not known. */
  fullness(id: string): number | null {
    const use = this.#use.get(id)
    return use === undefined ? null : fullnessOf(use)
  }

  /** The CLI names its model when a conversation begins; in a terminal nothing else says how much fits. */
  get responder(): Responder {
    return {
      name: 'model',
      events: ['session_start'],
      deadlineMs: 50,
      respond: ({ agent: id, raw }) => {
        const agent = id === null ? null : this.#parts.supervisor.get(id)
        const name = isObject(raw) ? textOf(raw.model) : null
        // A protocol tells more.
        const isNews = agent !== null && agent.host !== 'stream' && agent.model?.name !== name
        if (isNews && name !== null)
          this.#parts.supervisor.agent(agent.id).current.note('agent.model', { model: { name, window: null } })
        return {}
      },
    }
  }

  onEntry({ id, model }: Agent, { kind, isReply, usage }: ConversationEntry): void {
    if (kind === 'compaction') this.#use.delete(id)
    else if (isReply && usage !== null) this.#use.set(id, contextUse(usage, this.#parts.setWindow, model))
  }

  onNewContext(agent: Agent): void {
    this.#use.delete(agent.id)
    this.#forget(agent)
  }

  onRead(agent: Agent): void {
    this.#consider(agent)
  }

  onChange(agent: Agent): void {
    this.#consider(agent)
  }

  #consider(agent: Agent): void {
    this.#timers.get(agent.id)?.()
    const use = this.#use.get(agent.id)
    if (!this.#isOpen || !isAlive(agent.state) || this.#rotating.has(agent.id)) return
    if (use === undefined || use.window === null) return
    if (isEmptied(use, this.#parts.limits)) return this.#forget(agent)
    const done = this.#progress(agent)
    const writtenAt = done.askedAt === null ? null : handoverWrittenAt(handoverPath(agent))
    const situation = { use, done, isIdle: agent.state === 'idle', writtenAt }
    const { step, waitMs } = decideContext(situation, this.#limits(agent), this.#parts.now())
    if (waitMs !== null) this.#lookAgain(agent.id, waitMs)
    if (step === 'brake') return this.#reportBrake(agent)
    if (step !== null) this.#take(agent, step, use).catch((cause: unknown) => this.#trouble(cause))
  }

  /** What somebody else started, nobody else starts again. */
  #limits({ host }: Agent): ContextLimits {
    return host === 'outside' ? { ...this.#parts.limits, rotateAt: 0 } : this.#parts.limits
  }

  async #take(agent: Agent, step: ContextStep, use: ContextUse): Promise<void> {
    if (step === 'rotate') return this.#rotateUnlessInUse(agent, use)
    this.#note(agent, step, use)
    const { say } = this.#parts
    if (step === 'warn') {
      await say(agent, { type: warningType, priority: 'normal', text: warning(use), expiresInMs: warningLifeMs })
      return
    }
    const path = handoverPath(agent)
    prepareHandover(path)
    // It has to wake: an agent that is idle and full would never hear of it.
    await say(agent, { type: handoverType, priority: 'high', text: handoverRequest(use, path), expiresInMs: null })
  }

  /** First of all it is remembered: what is noted about the agent makes it considered again. */
  #note(agent: Agent, step: ContextStep | 'emptied', use: ContextUse): void {
    const { supervisor, now } = this.#parts
    this.#done.set(agent.id, progressed(this.#progress(agent), step, now()))
    const conversation = agent.conversation ?? ''
    supervisor
      .agent(agent.id)
      .current.note('agent.context', { step, conversation, used: use.tokens, window: use.window ?? 0 })
  }

  /** The restart would take away what somebody is just typing. */
  async #rotateUnlessInUse(agent: Agent, use: ContextUse): Promise<void> {
    const { supervisor } = this.#parts
    this.#rotating.add(agent.id)
    try {
      if (await supervisor.agent(agent.id).isInUse()) return this.#lookAgain(agent.id, inUseMs)
      const isAsItWas = supervisor.get(agent.id)?.state === 'idle' && this.#use.get(agent.id) === use
      if (!isAsItWas) return this.#lookAgain(agent.id, 0)
      this.#braked.delete(agent.id)
      this.#note(agent, 'rotate', use)
      await this.#rotate(agent)
    } finally {
      this.#rotating.delete(agent.id)
    }
  }

  async #rotate(agent: Agent): Promise<void> {
    const path = handoverPath(agent)
    const isWritten = (handoverWrittenAt(path) ?? 0) >= (this.#progress(agent).askedAt ?? 0)
    const handover = isWritten ? readHandover(path) : null
    if (handover !== null) await this.#parts.handovers.keep(agent, handover)
    const about = this.#parts.handovers.reminder(agent)
    const words = freshPrompt(handover, agent.transcript)
    const prompt = about === null ? words : `${about}\n\n${words}`
    await this.#withdraw(agent)
    await this.#parts.supervisor.restart(agent.id, { isFresh: true, prompt })
  }

  /** What was said about a context that is gone is not said again in the next one. */
  #withdraw({ id }: Agent): Promise<void> {
    return this.#parts.withdraw(id, [warningType, handoverType])
  }

  #forget(agent: Agent): void {
    this.#timers.get(agent.id)?.()
    if (!this.#progress(agent).hasWarned) return
    this.#note(agent, 'emptied', this.#use.get(agent.id) ?? unknownUse)
    void this.#withdraw(agent).catch((cause: unknown) => this.#trouble(cause))
  }

  #reportBrake({ id, handle }: Agent): void {
    if (!this.#braked.has(id)) this.#trouble(`${handle} is full again soon after it was given a fresh conversation`)
    this.#braked.add(id)
  }

  #lookAgain(id: string, ms: number): void {
    const look = (): void => {
      const agent = this.#parts.supervisor.get(id)
      if (agent !== null) this.#consider(agent)
    }
    this.#timers.set(id, after(ms, look))
  }

  /** What an earlier daemon did about this conversation counts. */
  #progress(agent: Agent): ContextProgress {
    const done = this.#done.get(agent.id) ?? this.#recorded(agent)
    this.#done.set(agent.id, done)
    return done
  }

  #recorded({ id, conversation }: Agent): ContextProgress {
    return this.#parts.records(id).reduce((done: ContextProgress, record) => {
      if (record.type !== 'agent.context') return done
      const { step } = record.body
      // A rotation counts for the conversation that follows it, too.
      if (step !== 'rotate' && record.body.conversation !== conversation) return done
      return progressed(done, step, record.at)
    }, nothingDone)
  }

  #trouble(cause: unknown): void {
    this.#parts.journal.write('trouble', { where: 'context', reason: String(cause) })
  }
}

/** Nothing was said since it was emptied. */
const unknownUse: ContextUse = { tokens: 0, window: null }

const progressed = (done: ContextProgress, step: ContextStep | 'emptied', at: number): ContextProgress => {
  if (step === 'emptied') return { ...nothingDone, rotatedAt: done.rotatedAt }
  if (step === 'rotate') return { ...done, rotatedAt: at }
  return { ...done, hasWarned: true, askedAt: step === 'handover' ? at : done.askedAt }
}
