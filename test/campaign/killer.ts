import { setTimeout as delay } from 'node:timers/promises'
import type { RestartingDaemon } from './daemon.ts'
import { kill, strikeHook } from './strikes.ts'
import type { Counts } from './tally.ts'
import type { Team } from './team.ts'

export interface KillerOptions {
  count: number
  handles: string[]
  random: () => number
  /** How far the campaign has come, from 0 to 1: kills are spread over all of it. */
  progress: () => number
}

/** Sends kill -9 to the daemon, to hook clients and to agents, at moments and in an order that the seed decides. */
export class Killer {
  #hooks = 0
  #agents = 0

  constructor(
    readonly daemon: RestartingDaemon,
    readonly team: Team,
    readonly options: KillerOptions,
  ) {}

  /** A daemon that dies at a fault point counts like one that is killed from outside. */
  get total(): number {
    return this.daemon.deaths.length + this.#hooks + this.#agents
  }

  get counts(): Counts {
    const { deaths } = this.daemon
    return {
      'kills in all': this.total,
      'kills of the daemon': deaths.length,
      '… at a fault point': deaths.filter(({ point }) => point !== null).length,
      'kills of a hook client': this.#hooks,
      'kills of an agent': this.#agents,
    }
  }

  async run(): Promise<void> {
    const { count, progress, random } = this.options
    while (this.total < count) {
      if (progress() < this.total / count) await delay(20)
      else {
        await delay(random() * 300)
        await this.#killOne()
      }
    }
  }

  async #killOne(): Promise<void> {
    const { random, handles } = this.options
    const which = random()
    const handle = handles[Math.floor(random() * handles.length)] ?? ''
    if (which < 0.4) await this.#killDaemon()
    else if (which < 0.7) await this.#killHook(handle)
    else this.#killAgent(handle)
  }

  /** One in four dies while it is still starting. */
  async #killDaemon(): Promise<void> {
    if (this.options.random() < 0.75) await this.daemon.serving
    this.daemon.kill()
  }

  #killAgent(handle: string): void {
    const pid = this.team.pidOf(handle)
    if (pid !== null && kill(pid)) this.#agents += 1
  }

  async #killHook(handle: string): Promise<void> {
    if (await strikeHook(() => this.team.pidOf(handle), this.options.random)) this.#hooks += 1
  }
}
