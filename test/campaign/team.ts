import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { Env, Stage } from './stage.ts'

const lookEveryMs = 250
/** How long a person lets an idle agent sit on its inbox before saying something to it. */
const patienceMs = 2_000

export interface TeamOptions {
  handles: string[]
  /** The environment of an agent that is started now. */
  envOf(handle: string): Env
  prompt(): string
}

/** The agents as a person keeps them: started, started again when they are gone, now and then spoken to. */
export class Team {
  readonly #stage: Stage
  readonly #options: TeamOptions
  readonly #promptedAt = new Map<string, number>()
  readonly #starting = new Set<string>()
  #views: AgentView[] = []
  #isOver = false
  #watching: Promise<void> = Promise.resolve()
  restarts = 0

  constructor(stage: Stage, options: TeamOptions) {
    this.#stage = stage
    this.#options = options
  }

  async start(): Promise<void> {
    for (const handle of this.#options.handles) await this.#up(handle, false)
    await this.#look()
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
  }

  pidOf(handle: string): number | null {
    return this.#views.find((view) => view.handle === handle)?.pid ?? null
  }

  /** Directives of one agent, or of all, that no model is known to have seen. */
  waiting(handle?: string): number {
    return this.#views
      .filter((view) => handle === undefined || view.handle === handle)
      .reduce((sum, { inbox }) => sum + inbox.queued + inbox.offered + inbox.placed, 0)
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      await this.#look().catch(() => undefined)
      for (const view of this.#views) this.#tend(view)
      await delay(lookEveryMs)
    }
  }

  async #look(): Promise<void> {
    this.#views = await this.#stage.client.ps({ all: true })
  }

  #tend(view: AgentView): void {
    const { handle, state, pid } = view
    if (state === 'stopped' || state === 'crashed') return void this.#up(handle, true).catch(() => undefined)
    const isPatient = Date.now() - Math.max(view.since, this.#promptedAt.get(handle) ?? 0) < patienceMs
    if ((state !== 'idle' && state !== 'starting') || isPatient || pid === null || this.waiting(handle) === 0) return
    this.#promptedAt.set(handle, Date.now())
    say(pid, this.#options.prompt())
  }

  async #up(handle: string, isAgain: boolean): Promise<void> {
    if (this.#starting.has(handle)) return
    this.#starting.add(handle)
    if (isAgain) this.restarts += 1
    const { cwd, client } = this.#stage
    const request = {
      cwd,
      env: {},
      args: [],
      permissionMode: 'bypassPermissions',
      ...(isAgain ? { continue: true } : {}),
    }
    const env = this.#options.envOf(handle)
    await client.up({ handle, driver: 'claude', host: 'stream', request, env }).finally(() => {
      this.#starting.delete(handle)
    })
  }
}

/** What a person types into a headless agent. */
const say = (pid: number, text: string): void => {
  try {
    const fd = openSync(`/proc/${pid}/fd/0`, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(fd, `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
    closeSync(fd)
  } catch {
    return
  }
}
