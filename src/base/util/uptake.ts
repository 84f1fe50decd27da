import type { Socket } from 'node:net'

interface Look {
  /** Of what waited at the last look, something was taken. */
  isMoving: boolean
  /** For so long nothing was taken of what waits. */
  stillMs: number
}

/** Watches how the other end of a connection takes what is sent to it. */
export class Uptake {
  readonly #socket: Socket
  readonly #now: () => number
  #written = 0
  #queued = 0
  #wasWaiting = false
  #since: number

  constructor(socket: Socket, now: () => number) {
    this.#socket = socket
    this.#now = now
    this.#since = now()
  }

  look(): Look {
    const { writableLength, bytesWritten } = this.#socket
    const isWaiting = writableLength > 0
    // What is added meanwhile counts in both: a ping to a client that reads nothing is no progress.
    const written = bytesWritten - writableLength
    const queued = kernelQueue(this.#socket)
    const isMoving = this.#wasWaiting && (written !== this.#written || queued !== this.#queued)
    if (!isWaiting || !this.#wasWaiting || isMoving) this.#since = this.#now()
    this.#written = written
    this.#queued = queued
    this.#wasWaiting = isWaiting
    return { isMoving, stillMs: this.#now() - this.#since }
  }
}

/** Bytes that the kernel has not taken yet; Node tells it nowhere else, and one long write shows no other progress. */
const kernelQueue = (socket: Socket): number =>
  (Reflect.get(socket, '_handle') as { writeQueueSize?: number } | null)?.writeQueueSize ?? 0
