import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { daemonScript, type Env } from './stage.ts'

export interface DaemonDeath {
  at: number
  /** The fault point at which it ended by itself; null if it was killed. */
  point: string | null
}

/** The real daemon, as a process of ours that is started again whenever it has ended, until `stop`. */
export class RestartingDaemon {
  readonly deaths: DaemonDeath[] = []
  readonly #env: Env
  readonly #nextFault: () => string | null
  #child: ChildProcess | null = null
  #fault: string | null = null
  #wasKilled = false
  #isStopping = false
  #running: Promise<void> = Promise.resolve()
  #serving: Promise<void> = Promise.resolve()

  constructor(env: Env, nextFault: () => string | null) {
    this.#env = env
    this.#nextFault = nextFault
  }

  /** Resolves when a daemon serves. */
  get serving(): Promise<void> {
    return this.#serving
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  start(): Promise<void> {
    this.#fault = this.#nextFault()
    const env = this.#fault === null ? this.#env : { ...this.#env, REIN_FAULT: this.#fault }
    const child = spawn(process.execPath, [daemonScript], {
      env,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#wasKilled = false
    this.#running = once(child, 'exit').then(() => this.#ended())
    this.#serving = this.#untilReady(child, this.#running)
    return this.#serving
  }

  kill(): void {
    this.#wasKilled = true
    this.#serving = this.#running.then(() => this.#serving)
    this.#child?.kill('SIGKILL')
  }

  /** Ends it, like any other kill unless told otherwise, and leaves it at that. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#isStopping = true
    this.#child?.kill(signal)
    await this.#running
  }

  /** Whoever waits for a daemon that is killed while it starts waits for the next one. */
  async #untilReady(child: ChildProcess, running: Promise<void>): Promise<void> {
    const complaint = text(child.stderr as Readable)
    const said = once(child.stdio[3] as Readable, 'data').then(([chunk]) => String(chunk).trim())
    const word = await Promise.race([said, once(child, 'exit').then(() => null)])
    if (word === 'ready' || this.#isStopping) return
    if (word !== null) throw new Error(`The daemon says: ${word} ${await complaint}`)
    await running
    await this.#serving
  }

  async #ended(): Promise<void> {
    if (this.#isStopping) return
    if (!this.#wasKilled && this.#fault === null) throw new Error('The daemon ended, and nobody had killed it.')
    this.deaths.push({ at: Date.now(), point: this.#wasKilled ? null : (this.#fault?.split(':')[0] ?? null) })
    void this.start()
  }
}
