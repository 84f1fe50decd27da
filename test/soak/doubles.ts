import { setTimeout as delay } from 'node:timers/promises'
import { doublesAmong, processesUnder } from './processes.ts'

const lookEveryMs = 400

/** Looks again and again whether an agent runs twice. */
export class DoubleWatch {
  /** Each pair that was found, once. */
  readonly found = new Set<string>()
  samples = 0
  #isOver = false
  readonly #running: Promise<void>

  constructor(root: string, standIn: string) {
    this.#running = this.#watch(root, standIn)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #watch(root: string, standIn: string): Promise<void> {
    while (!this.#isOver) {
      this.samples += 1
      for (const group of doublesAmong(processesUnder(root, standIn)))
        this.found.add(`${group[0]?.agent}: ${group.map(({ pid, startTime }) => `${pid}@${startTime}`).join(', ')}`)
      await delay(lookEveryMs)
    }
  }
}
