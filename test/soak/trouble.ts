import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RestartingDaemon } from '../campaign/daemon.ts'
import type { Stage } from '../campaign/stage.ts'
import { kill, strikeHook } from '../campaign/strikes.ts'
import type { Counts } from '../campaign/tally.ts'
import type { Crew } from './crew.ts'
import { processesUnder } from './processes.ts'

export interface TroubleParts {
  stage: Stage
  daemon: RestartingDaemon
  crew: Crew
  standIn: string
  random: () => number
}

interface Act {
  name: string
  weight: number
  /** Whether it came to anything. */
  run: (handle: string) => Promise<boolean>
}

const meanGapMs = 2_500
const pauseMs = 4_000

/** Kills, restarts and pauses at moments and in an order that the seed decides; several things may happen at once. */
export class Trouble {
  readonly counts: Counts = {}
  /** When the server of the terminals was killed, and whose they were. */
  readonly serverKills: number[] = []
  readonly #parts: TroubleParts
  readonly #acts: readonly Act[]
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(parts: TroubleParts) {
    this.#parts = parts
    this.#acts = this.#repertoire()
    for (const { name } of this.#acts) this.counts[name] = 0
  }

  /** Until `isOver`; what it began it also finishes. */
  async run(isOver: () => boolean, spares: readonly string[] = []): Promise<void> {
    const { random, crew } = this.#parts
    const acts = this.#acts.filter(({ name }) => !spares.includes(name))
    while (!isOver()) {
      await delay(meanGapMs * 2 * random())
      const act = drawn(acts, random())
      const handle = crew.handles[Math.floor(random() * crew.handles.length)] ?? ''
      const done = act.run(handle).then((isDone) => this.#count(act, isDone))
      this.#underWay.add(done)
      void done.finally(() => this.#underWay.delete(done))
    }
    await Promise.all(this.#underWay)
  }

  #count({ name }: Act, isDone: boolean): void {
    this.counts[name] = (this.counts[name] ?? 0) + Number(isDone)
  }

  #repertoire(): Act[] {
    const { crew, daemon, random, stage } = this.#parts
    const { client } = stage
    return [
      { name: 'kills of an agent', weight: 40, run: async (handle) => kill(crew.pidOf(handle) ?? Number.NaN) },
      { name: killsOfDaemon, weight: 20, run: () => this.#killDaemon(daemon) },
      { name: 'kills of a hook client', weight: 14, run: (handle) => strikeHook(() => crew.pidOf(handle), random) },
      { name: 'kills of a waiter', weight: 6, run: async () => this.#killWaiter() },
      { name: 'kills of the terminals’ server', weight: 2, run: () => this.#killServer() },
      { name: 'restarts', weight: 8, run: (handle) => crew.insist((agent) => client.restart(agent), handle) },
      { name: 'fresh conversations', weight: 4, run: (handle) => this.renew(handle) },
      { name: 'pauses', weight: 6, run: (handle) => this.#pause(handle) },
    ]
  }

  /** In a conversation of its own. */
  renew(handle: string): Promise<boolean> {
    const { crew, stage } = this.#parts
    return crew.insist((agent) => stage.client.restart({ ...agent, fresh: true }), handle)
  }

  /** One in four dies while it is still starting. */
  async #killDaemon(daemon: RestartingDaemon): Promise<boolean> {
    if (this.#parts.random() < 0.75) await daemon.serving
    daemon.kill()
    return true
  }

  #killWaiter(): boolean {
    const waiters = this.#processes().filter(({ command }) => command.includes('rein-wait'))
    return kill(waiters[Math.floor(this.#parts.random() * waiters.length)]?.pid ?? Number.NaN)
  }

  /** tmux, or the keeper: whichever holds terminals here. */
  async #killServer(): Promise<boolean> {
    const socket = join(this.#parts.stage.paths.runtime, 'tmux.sock')
    const asked = await promisify(execFile)('tmux', ['-S', socket, 'display-message', '-p', '#{pid}']).catch(() => null)
    const keeper = this.#processes().find(({ command }) => command.includes('keeper.js'))
    const isKilled = kill(asked === null ? (keeper?.pid ?? Number.NaN) : Number(asked.stdout))
    if (isKilled) this.serverKills.push(Date.now())
    return isKilled
  }

  async #pause(handle: string): Promise<boolean> {
    const { crew, random } = this.#parts
    const { client } = this.#parts.stage
    if (!(await crew.insist((agent) => client.pause(agent), handle))) return false
    await delay(pauseMs * random())
    // Refused when a daemon was killed before the pause was written.
    await crew.insist((agent) => client.unpause(agent), handle)
    return true
  }

  #processes() {
    return processesUnder(this.#parts.stage.root, this.#parts.standIn)
  }
}

export const killsOfDaemon = 'kills of the daemon'

const drawn = (acts: readonly Act[], share: number): Act => {
  let left = share * acts.reduce((sum, { weight }) => sum + weight, 0)
  const found = acts.find(({ weight }) => (left -= weight) < 0) ?? acts.at(-1)
  if (found === undefined) throw new Error('There is nothing to do.')
  return found
}
