import type { ServerFrame } from '../contract/socket.ts'
import { Serial } from '../base/util/serial.ts'

/** The sending side of a WebSocket. */
export interface Pipe {
  /** Bytes that wait to be taken by the other end. */
  readonly bufferedAmount: number
  send(text: string, sent: (failure?: Error) => void): void
}

/** So much may wait for a slow tab, and one frame more. */
const maxWaitingBytes = 1024 * 1024

/** Sends frames one by one, each when there is room: a tab that does not read makes its streams and calls wait. */
export class Outlet {
  readonly #pipe: Pipe
  readonly #turns = new Serial()
  readonly #onRoom: () => void
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  /** `onRoom`: some of what waited was taken, and there is room. */
  constructor(pipe: Pipe, onRoom: () => void = () => undefined) {
    this.#pipe = pipe
    this.#onRoom = onRoom
  }

  get hasRoom(): boolean {
    return this.#pipe.bufferedAmount < maxWaitingBytes
  }

  /** Resolves when the frame was handed over; without sending it if it is not wanted any more by then. */
  send(frame: ServerFrame, isWanted: () => boolean = () => true): Promise<void> {
    return this.#turns.run(async () => {
      await this.untilRoom()
      if (!this.#isClosed && isWanted()) this.#pipe.send(JSON.stringify(frame), () => this.#taken())
    })
  }

  /** Resolves when a frame could be handed over at once, or the connection has ended. */
  async untilRoom(): Promise<void> {
    while (!this.hasRoom && !this.#isClosed) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  /** Resolves when all frames so far were handed over. */
  handedOver(): Promise<void> {
    return this.#turns.idle()
  }

  close(): void {
    this.#isClosed = true
    this.#wakeAll()
  }

  #taken(): void {
    if (!this.hasRoom) return
    this.#wakeAll()
    this.#onRoom()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}
