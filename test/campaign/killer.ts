import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPid } from '../../src/util/process.ts'
import type { RestartingDaemon } from './daemon.ts'
import type { Counts } from './tally.ts'
import type { Team } from './team.ts'

export interface KillerOptions {
  count: number
  handles: string[]
  random: () => number
  /** How far the campaign has come, from 0 to 1: kills are spread over all of it. */
  progress: () => number
}

const lookMs = 2
const huntMs = 1_000

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

  /** The client itself, or the program through which it asks; at any moment of its short life. */
  async #killHook(handle: string): Promise<void> {
    const deadline = Date.now() + huntMs
    while (Date.now() < deadline) {
      const agent = this.team.pidOf(handle)
      const client = agent === null ? undefined : childrenOf(agent).find(isHookClient)
      if (client === undefined || agent === null) await delay(lookMs)
      else return this.#strike(agent, client)
    }
  }

  async #strike(agent: number, client: number): Promise<void> {
    await delay(this.options.random() * 15)
    const [inner] = childrenOf(client)
    const victim = inner !== undefined && this.options.random() < 0.3 ? inner : client
    if (parentPid(client) === agent && kill(victim)) this.#hooks += 1
  }
}

/** Any thread may have started them. */
const childrenOf = (pid: number): number[] => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) =>
      readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

const isHookClient = (pid: number): boolean => readProc(`${pid}/cmdline`).includes('rein-hook')

const readProc = (file: string): string => {
  try {
    return readFileSync(`/proc/${file}`, 'utf8').trim()
  } catch {
    return ''
  }
}

const kill = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
