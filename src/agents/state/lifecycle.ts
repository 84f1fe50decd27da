import { type Agent, type AgentState, isAlive } from '../../contract/agent.ts'
import type { Evidence } from '../../contract/identity.ts'
import { after } from '../../base/util/timer.ts'
import type { AgentPorts } from '../ports.ts'
import type { CurrentAgent } from './current-agent.ts'
import { isDue, planRestart } from './restart.ts'

/** Said to an agent that was in the middle of something. */
export const continueTexts = {
  crash: 'Rein: you were restarted after a crash. Go on with what you were doing.',
  limit: 'The usage limit has ended. Go on with what you were doing.',
  pause: 'You were paused and are not any more. Go on with what you were doing.',
  after: (reason: string) =>
    `You were paused and are not any more. It was because of this: ${reason} Go on, another way.`,
} as const

/** A limit whose end is not told is tried again after this. */
const unknownLimitMs = 15 * 60_000

export interface Relaunch {
  /** In a conversation of its own, not in the one it had. */
  isFresh?: boolean
  prompt?: string
  /** Whoever owned it is gone: now it is an agent like any other. */
  isFreed?: boolean
}

type LifecyclePorts = Pick<AgentPorts, 'restart' | 'now' | 'bootedAt' | 'say' | 'onTrouble'>

/** What happens to an agent by itself, in time: it comes back after a crash, and goes on after a limit. */
export class Lifecycle {
  readonly #current: Pick<CurrentAgent, 'agent' | 'note'>
  readonly #ports: LifecyclePorts
  readonly #relaunch: (how: Relaunch) => Promise<void>
  /** Since when the agent was in a state that is from before the machine was started. Asked once: later the clock may be set. */
  readonly #sinceBeforeBoot: number | null
  #cancel: (() => void) | null = null
  /** Somebody is starting it already. */
  #isTaken = false
  #isOpen = false
  /** Somebody waits for it to come up, and decides. */
  isAttended = false

  constructor(
    current: Pick<CurrentAgent, 'agent' | 'note'>,
    ports: LifecyclePorts,
    relaunch: (how: Relaunch) => Promise<void>,
  ) {
    this.#current = current
    this.#ports = ports
    this.#relaunch = relaunch
    const { since } = current.agent
    this.#sinceBeforeBoot = since < ports.bootedAt() ? since : null
  }

  /** The process has ended and nobody wanted that. After a restart of the machine a person decides. */
  crashed(evidence: Evidence): void {
    const { restart, now } = this.#ports
    const isForPerson = this.isAttended || this.#isFromBeforeBoot
    const plan = isForPerson ? ({ kind: 'none' } as const) : planRestart(this.#current.agent, restart, now())
    this.#setState('crashed', evidence, plan.kind === 'at' ? plan.at : null)
    if (plan.kind === 'give_up') {
      const { crashes } = this.#current.agent
      const detail = `crashed ${crashes.length} times within an hour, at last: ${evidence.detail ?? 'no reason known'}`
      this.#setState('looping', { ...evidence, detail }, null)
    }
    this.schedule()
  }

  /** Looks whether something is due: timers sleep with the machine, and clocks are set. */
  tick(): void {
    const { restart, now } = this.#ports
    const { state, until, since } = this.#current.agent
    if (!this.#isOpen) return
    const isPlanned = state === 'crashed' && until !== null && !this.#isTaken && !this.#isFromBeforeBoot
    if (isPlanned && isDue(until, restart.longestWaitMs, now())) void this.#comeBack()
    if (state === 'limited' && now() >= (until ?? since + unknownLimitMs)) this.#endLimit()
  }

  /** Before this nothing is started: no hook would find the daemon. */
  open(): void {
    this.#isOpen = true
    this.schedule()
  }

  /** Also for what an earlier daemon had planned. */
  schedule(): void {
    this.stop()
    this.#isTaken = false
    const { until } = this.#current.agent
    if (this.#isOpen && until !== null) this.#cancel = after(Math.max(0, until - this.#ports.now()), () => this.tick())
  }

  /** It is being started: nothing that was planned happens any more. */
  take(): void {
    this.stop()
    this.#isTaken = true
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  async #comeBack(): Promise<void> {
    const { wasAtWork, isPaused, handle } = this.#current.agent
    try {
      await this.#relaunch(wasAtWork && !isPaused ? { prompt: continueTexts.crash } : {})
    } catch (cause) {
      this.#ports.onTrouble(`restarting ${handle}`, cause)
      if (!isAlive(this.#current.agent.state)) this.crashed({ source: 'process', detail: String(cause) })
    }
  }

  #endLimit(): void {
    const { wasAtWork } = this.#current.agent
    this.#setState('idle', { source: 'process', detail: 'the limit has ended' }, null)
    if (wasAtWork) this.#ports.say(this.#current.agent, continueTexts.limit)
  }

  #setState(state: AgentState, evidence: Evidence, until: number | null): void {
    this.#current.note('agent.state', { state, evidence, question: null, until })
  }

  get #isFromBeforeBoot(): boolean {
    return this.#current.agent.since === this.#sinceBeforeBoot
  }
}

/** Why a process is not there any more that no daemon saw end. */
export const goneMeanwhile = ({ since }: Agent, bootedAt: number): string =>
  since < bootedAt ? 'the machine was restarted' : 'gone while no daemon was running'
