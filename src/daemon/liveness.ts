import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { performance } from 'node:perf_hooks'

type Line = Pick<WebSocket, 'bufferedAmount' | 'ping' | 'terminate' | 'on'>

const checkMs = 30_000
/** What waits for it was not taken for so long. */
const stuckMs = 60_000
/** Nothing was heard of it for so long, not even an answer to a ping. */
const silentMs = 90_000

/** Ends the connection of a tab that is gone or takes nothing. */
export class Liveness {
  readonly #line: Line
  readonly #socket: Socket
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #heardAt: number
  #takenAt: number
  #waiting = ''

  constructor(line: Line, socket: Socket, now: () => number = () => performance.now()) {
    this.#line = line
    this.#socket = socket
    this.#now = now
    this.#heardAt = now()
    this.#takenAt = now()
    this.#timer = setInterval(() => this.check(), checkMs).unref()
    line.on('pong', () => this.heard())
  }

  heard(): void {
    this.#heardAt = this.#now()
  }

  check(): void {
    const now = this.#now()
    const waiting = `${this.#line.bufferedAmount} ${kernelQueue(this.#socket)}`
    if (this.#line.bufferedAmount === 0 || waiting !== this.#waiting) this.#takenAt = now
    this.#waiting = waiting
    const isSilent = now - Math.max(this.#heardAt, this.#takenAt) >= silentMs
    if (isSilent || now - this.#takenAt >= stuckMs) this.#line.terminate()
    else this.#line.ping()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Bytes that the kernel has not taken yet; Node tells it nowhere else, and one long frame shows no other progress. */
const kernelQueue = (socket: Socket): number =>
  (Reflect.get(socket, '_handle') as { writeQueueSize?: number } | null)?.writeQueueSize ?? 0
