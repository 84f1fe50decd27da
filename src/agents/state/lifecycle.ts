import { type Agent, type AgentState, isAlive } from '../../contract/agent.ts'
import type { Evidence } from '../../contract/identity.ts'
import { after } from '../../base/util/timer.ts'
import { isDue, planRestart, type RestartSettings } from './restart.ts'

/** Said to an agent that was in the middle of something. */
export const goOn = {
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

export interface LifecyclePorts {
  agent: () => Agent
  settings: RestartSettings
  now: () => number
  /** When this machine was started. */
  bootedAt: () => number
  relaunch: (how: Relaunch) => Promise<void>
  setState: (state: AgentState, evidence: Evidence, until: number | null) => void
  /** Says something to the agent that stands for itself, as soon as it can take it in. */
  say: (text: string) => void
  onTrouble: (where: string, cause: unknown) => void
}

/** What happens to an agent by itself, in time: it comes back after a crash, and goes on after a limit. */
export class Lifecycle {
  readonly #ports: LifecyclePorts
  /** Since when the agent was in a state that is from before the machine was started. Asked once: later the clock may be set. */
  readonly #sinceBeforeBoot: number | null
  #cancel: (() => void) | null = null
  /** Somebody is starting it already. */
  #isTaken = false
  #isOpen = false
  /** Somebody waits for it to come up, and decides. */
  isAttended = false

  constructor(ports: LifecyclePorts) {
    this.#ports = ports
    const { since } = ports.agent()
    this.#sinceBeforeBoot = since < ports.bootedAt() ? since : null
  }

  /** The process has ended and nobody wanted that. After a restart of the machine a person decides. */
  crashed(evidence: Evidence): void {
    const { setState, agent, settings, now } = this.#ports
    const isForPerson = this.isAttended || this.#isFromBeforeBoot
    const plan = isForPerson ? ({ kind: 'none' } as const) : planRestart(agent(), settings, now())
    setState('crashed', evidence, plan.kind === 'at' ? plan.at : null)
    if (plan.kind === 'give_up') setState('looping', { ...evidence, detail: givenUp(agent(), evidence) }, null)
    this.schedule()
  }

  /** Looks whether something is due: timers sleep with the machine, and clocks are set. */
  tick(): void {
    const { agent, settings, now } = this.#ports
    const { state, until, since } = agent()
    if (!this.#isOpen) return
    const isPlanned = state === 'crashed' && until !== null && !this.#isTaken && !this.#isFromBeforeBoot
    if (isPlanned && isDue(until, settings.longestWaitMs, now())) void this.#comeBack()
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
    const { until } = this.#ports.agent()
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
    const { relaunch, onTrouble, agent } = this.#ports
    try {
      await relaunch(agent().wasAtWork && !agent().isPaused ? { prompt: goOn.crash } : {})
    } catch (cause) {
      onTrouble(`restarting ${agent().handle}`, cause)
      if (!isAlive(agent().state)) this.crashed({ source: 'process', detail: String(cause) })
    }
  }

  #endLimit(): void {
    const { agent, setState, say } = this.#ports
    const { wasAtWork } = agent()
    setState('idle', { source: 'process', detail: 'the limit has ended' }, null)
    if (wasAtWork) say(goOn.limit)
  }

  get #isFromBeforeBoot(): boolean {
    return this.#ports.agent().since === this.#sinceBeforeBoot
  }
}

const givenUp = ({ crashes }: Agent, { detail }: Evidence): string =>
  `crashed ${crashes.length} times within an hour, at last: ${detail ?? 'no reason known'}`

/** Why a process is not there any more that no daemon saw end. */
export const goneMeanwhile = ({ since }: Agent, bootedAt: number): string =>
  since < bootedAt ? 'the machine was restarted' : 'gone while no daemon was running'
