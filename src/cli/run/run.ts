import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'
import type { LiveEvent } from '../../contract/live.ts'
import type { RunDecision } from '../../contract/run.ts'
import { runCheck } from './check.ts'
import type { Check } from './decide.ts'
import { begun, firstLook, heed, isGone, isPastTurns, type Look } from './look.ts'

export interface RunView {
  event(event: LiveEvent): void
  decided(decision: RunDecision): void
  /** The command of `--until` is run, which may take its time. */
  checking(command: string): void
}

/** A daemon that ends is followed by another one within a moment. */
const lostLimit = 5
const lostPauseMs = 200

interface Waiting {
  match: (look: Look) => boolean
  resolve: (look: Look) => void
}

/** One agent that this process runs: it is looked at as it works, and ends with this process. */
export class Run {
  readonly agent: AgentView
  readonly #client: Client
  readonly #cwd: string
  readonly #view: RunView
  readonly #maxTurns: number | null
  readonly #leave = new AbortController()
  #look: Look = firstLook
  #waiting: Waiting[] = []
  #isInterrupted = false
  #isCutOff = false
  #turns = 0

  constructor(client: Client, agent: AgentView, cwd: string, view: RunView, maxTurns: number | null) {
    this.#client = client
    this.agent = agent
    this.#cwd = cwd
    this.#view = view
    this.#maxTurns = maxTurns
  }

  get look(): Look {
    return this.#look
  }

  /** How many of its prompts had been answered when it was decided last. */
  get turns(): number {
    return this.#turns
  }

  /** `project/handle`, for commands about it. */
  get name(): string {
    return fullName(this.agent)
  }

  /** Aborted by `leave`. */
  get left(): AbortSignal {
    return this.#leave.signal
  }

  /** Shows everything that happens, also after the daemon was replaced by another; resolves when `leave` is called. */
  async follow(): Promise<void> {
    for (let tries = 0; !this.left.aborted; tries += 1) {
      try {
        for await (const event of this.#client.live({ ...this.#target, owns: true }, this.left)) {
          // Events may be missing from before the reconnect.
          if (tries > 0) this.#hear({ kind: 'gap', missed: 0 })
          tries = 0
          this.#hear(event)
        }
      } catch (cause) {
        if (isGone(this.#look) || tries >= lostLimit || !(cause instanceof ReinError && cause.code === 'unavailable'))
          throw cause
      }
      if (!this.left.aborted) await pause(lostPauseMs * tries)
    }
  }

  until(match: (look: Look) => boolean): Promise<Look> {
    if (match(this.#look)) return Promise.resolve(this.#look)
    return new Promise((resolve) => this.#waiting.push({ match, resolve }))
  }

  begin(): void {
    this.#isInterrupted = this.#isCutOff = false
    this.#look = begun(this.#look)
  }

  async decide(decision: RunDecision): Promise<void> {
    await this.#client.decideRun({ ...this.#target, decision })
    this.#turns = decision.turns
    this.#view.decided(decision)
  }

  check(command: string): Promise<Check> {
    this.#view.checking(command)
    return runCheck(command, this.agent.cwd, this.left)
  }

  /** False if there is no turn to interrupt. */
  async interrupt(): Promise<boolean> {
    if (this.#isInterrupted || ['idle', 'paused'].includes(this.#look.state) || isGone(this.#look)) return false
    this.#isInterrupted = true
    await this.#client.interrupt(this.#target)
    return true
  }

  wasInterrupted(): boolean {
    return this.#isInterrupted
  }

  leave(): void {
    this.#leave.abort()
  }

  get #target(): { target: string; cwd: string } {
    return { target: this.name, cwd: this.#cwd }
  }

  #hear(event: LiveEvent): void {
    this.#look = heed(this.#look, event)
    // A process knows only its own cost.
    this.#view.event(
      event.kind === 'usage'
        ? { kind: 'usage', usage: { ...event.usage, costUsd: this.#look.costUsd ?? undefined } }
        : event,
    )
    // The model must not be asked again; an agent that has ended meanwhile refuses the interrupt.
    if (isPastTurns(this.#look, this.#maxTurns)) {
      if (!this.#isCutOff) this.#client.interrupt(this.#target).catch(() => undefined)
      this.#isCutOff = true
    }
    const met = this.#waiting.filter(({ match }) => match(this.#look))
    this.#waiting = this.#waiting.filter((one) => !met.includes(one))
    for (const { resolve } of met) resolve(this.#look)
  }
}
