import { setTimeout as delay } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { asReinError } from '../../src/contract/errors.ts'
import type { RestartingDaemon } from './daemon.ts'
import type { Stage } from './stage.ts'
import { directiveOf, noteText } from './truth.ts'

const senders = 8
const waitMs = 50

export interface SendingOptions {
  count: number
  handles: string[]
  random: () => number
  /** Whether the agent has enough for now: what lies in a queue is not at risk at a kill. */
  isFull: (handle: string) => boolean
}

/** Many senders at once; each repeats under the same id what it got no answer for. */
export class Sending {
  /** Notes whose acceptance was answered for. */
  readonly accepted: string[] = []
  retries = 0
  #left: number
  #isStopped = false

  constructor(
    readonly stage: Stage,
    readonly daemon: RestartingDaemon,
    readonly options: SendingOptions,
  ) {
    this.#left = options.count
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: senders }, () => this.#send()))
  }

  /** What is under way is still told. */
  stop(): void {
    this.#left = 0
    this.#isStopped = true
  }

  async #send(): Promise<void> {
    while (this.#left > 0) {
      this.#left -= 1
      const handle = await this.#nextHandle()
      if (handle === null) return
      const note = uuid()
      while (!(await this.#tell(note, handle))) {
        this.retries += 1
        await delay(waitMs)
        await this.daemon.serving
      }
      this.accepted.push(note)
    }
  }

  /** Null when all of it was stopped meanwhile. */
  async #nextHandle(): Promise<string | null> {
    const { handles, random, isFull } = this.options
    while (!this.#isStopped) {
      const handle = handles[Math.floor(random() * handles.length)] ?? ''
      if (!isFull(handle)) return handle
      await delay(waitMs)
    }
    return null
  }

  async #tell(note: string, handle: string): Promise<boolean> {
    const priority = this.options.random() < 0.01 ? ('urgent' as const) : ('normal' as const)
    const told = { id: directiveOf(note), target: handle, cwd: this.stage.cwd, text: noteText(note), from: 'campaign' }
    try {
      await this.stage.client.tell({ ...told, priority })
      return true
    } catch (cause) {
      if (['unavailable', 'not_in_time'].includes(asReinError(cause).code)) return false
      throw cause
    }
  }
}
