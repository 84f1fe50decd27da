import type { AgentState } from '../../contract/agent.ts'
import type { StoryAgent, StoryTurn } from '../../contract/routes/story.ts'

/** Enough to count: names of files are from outside, and there may be any number. */
const mostKnownFiles = 5000

type Span = 'workingMs' | 'idleMs' | 'waitingMs' | 'downMs'
const spans: Record<AgentState, Span> = {
  starting: 'idleMs',
  idle: 'idleMs',
  working: 'workingMs',
  awaiting_permission: 'waitingMs',
  awaiting_answer: 'waitingMs',
  limited: 'waitingMs',
  paused: 'waitingMs',
  stopped: 'downMs',
  crashed: 'downMs',
  looping: 'downMs',
}

export const isGone = (state: AgentState | null): boolean => state !== null && spans[state] === 'downMs'

/** The totals of one agent. */
export class Tally {
  readonly agent: StoryAgent
  readonly #files = new Set<string>()
  readonly #since: number
  #state: { state: AgentState; at: number } | null = null
  launches = 0
  /** Calls that it is not asked about any more; null before the story tells. */
  allowed: number | null = null

  constructor(handle: string, driver: string | null, since: number) {
    this.#since = since
    const counts = { turns: 0, files: 0, commands: 0, failed: 0, crashes: 0 }
    const tokens = { inputTokens: 0, cacheTokens: 0, outputTokens: 0, costUsd: null }
    const times = { workingMs: 0, idleMs: 0, waitingMs: 0, downMs: 0 }
    this.agent = { handle, driver, role: null, ...counts, ...tokens, ...times }
  }

  get state(): AgentState | null {
    return this.#state?.state ?? null
  }

  become(state: AgentState, at: number): void {
    this.until(at)
    if (this.#state?.state !== state && state === 'crashed' && at >= this.#since) this.agent.crashes += 1
    this.#state = { state, at: Math.max(at, this.#since) }
  }

  /** The clock may have been set back: no time is taken away. */
  until(at: number): void {
    if (this.#state === null) return
    this.agent[spans[this.#state.state]] += Math.max(0, at - this.#state.at)
    this.#state.at = Math.max(at, this.#state.at)
  }

  /** Its later records are not part of the story. */
  leave(at: number): void {
    this.until(at)
    this.#state = null
  }

  changed(path: string): void {
    if (this.#files.size < mostKnownFiles) this.#files.add(path)
    this.agent.files = this.#files.size
  }

  ended(turn: StoryTurn): void {
    const { agent } = this
    agent.turns += 1
    agent.commands += turn.commandCount
    agent.failed += turn.failedCount
    agent.inputTokens += turn.inputTokens
    agent.cacheTokens += turn.cacheTokens
    agent.outputTokens += turn.outputTokens
    if (turn.costUsd !== null) agent.costUsd = (agent.costUsd ?? 0) + turn.costUsd
  }
}
