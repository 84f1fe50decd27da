import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'
import { Uptake } from '../base/util/uptake.ts'

type Line = Pick<WebSocket, 'ping' | 'terminate' | 'on'>

const checkMs = 30_000
/** Nothing was heard of it for so long, not even an answer to a ping. */
const silentMs = 90_000

/** Ends the connection of a tab that is gone; the port ends that of one that takes nothing. */
export class Liveness {
  readonly #line: Line
  readonly #uptake: Uptake
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #heardAt: number

  constructor(line: Line, socket: Socket, now: () => number = () => performance.now()) {
    this.#line = line
    this.#uptake = new Uptake(socket, now)
    this.#now = now
    this.#heardAt = now()
    this.#timer = setInterval(() => this.check(), checkMs).unref()
    line.on('pong', () => this.heard())
  }

  heard(): void {
    this.#heardAt = this.#now()
  }

  check(): void {
    // An answer to a ping comes after all that is on its way to the tab.
    if (this.#uptake.look().isMoving) this.heard()
    if (this.#now() - this.#heardAt >= silentMs) this.#line.terminate()
    else this.#line.ping()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
