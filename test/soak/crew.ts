import { setTimeout as delay } from 'node:timers/promises'
import type { HostKind } from '../../src/contract/agent.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import { asReinError } from '../../src/contract/errors.ts'
import type { RestartingDaemon } from '../campaign/daemon.ts'
import type { Env, Stage } from '../campaign/stage.ts'

export interface Member {
  handle: string
  host: HostKind
  env: Env
}

const lookEveryMs = 250
const againMs = 200
const tries = 60
/** Not an answer to the question, only to the moment. */
const passing = ['unavailable', 'not_in_time', 'failed', 'handle_taken', 'not_running']

/** The agents as their owner leaves them: started once; that they run is Rein's business. */
export class Crew {
  readonly members: readonly Member[]
  readonly #stage: Stage
  readonly #daemon: RestartingDaemon
  /** Nobody asks the daemon anything. */
  isResting = false
  #views: AgentView[] = []
  #isOver = false
  #watching: Promise<void> = Promise.resolve()

  constructor(stage: Stage, daemon: RestartingDaemon, members: readonly Member[]) {
    this.#stage = stage
    this.#daemon = daemon
    this.members = members
  }

  get handles(): string[] {
    return this.members.map(({ handle }) => handle)
  }

  get views(): readonly AgentView[] {
    return this.#views
  }

  async start(): Promise<void> {
    const { client, cwd } = this.#stage
    const request = { cwd, env: {}, args: [], permissionMode: 'bypassPermissions' }
    for (const { handle, host, env } of this.members) await client.up({ handle, driver: 'claude', host, request, env })
    await this.look()
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
  }

  async look(): Promise<void> {
    this.#views = await this.#stage.client.ps({ all: true })
  }

  viewOf(handle: string): AgentView | undefined {
    return this.#views.find((view) => view.handle === handle)
  }

  pidOf(handle: string): number | null {
    return this.viewOf(handle)?.pid ?? null
  }

  /** Directives of one agent, or of all, that no model is known to have seen. */
  waiting(handle?: string): number {
    return this.#views
      .filter((view) => handle === undefined || view.handle === handle)
      .reduce((sum, { inbox }) => sum + inbox.queued + inbox.offered + inbox.placed, 0)
  }

  /** As a person does it: again, when the daemon was killed meanwhile or the agent was; false if it is refused. */
  async insist(ask: (agent: { target: string; cwd: string }) => Promise<unknown>, handle: string): Promise<boolean> {
    for (let tried = 0; tried < tries && !this.#isOver; tried += 1) {
      const cause = await ask({ target: handle, cwd: this.#stage.cwd }).then(
        () => null,
        (thrown: unknown) => asReinError(thrown),
      )
      if (cause === null) return true
      if (!passing.includes(cause.code)) return false
      await delay(againMs)
      await this.#daemon.serving
    }
    return false
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      if (!this.isResting) await this.look().catch(() => undefined)
      await delay(lookEveryMs)
    }
  }
}
