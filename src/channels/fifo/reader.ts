import { readSync } from 'node:fs'
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { after } from '../../util/timer.ts'
import { FifoLineSplitter, type Found } from './line-splitter.ts'

export interface ReaderPorts {
  /** What it returns resolves when the line needs nobody any more. */
  onLine(line: Buffer): Promise<void> | undefined
  onRefused(reason: string): void
  /** It cannot be read any more. */
  onFailed(cause: Error): void
}

/** So many lines may be under way before the next ones have to wait in the FIFO. */
const maxUnfinished = 1000
/** A FIFO holds no more at once, for whoever is not root. */
const maxLeftBytes = 1 << 20
/** One for all, because a chunk is cut into lines at once, and those are copies. */
const buffer = Buffer.allocUnsafe(1 << 16)

/**
 * Reads lines from an open FIFO, whose descriptor is its own from now on. It goes through the event loop: a read in the thread pool
 * would block a thread for as long as nobody writes.
 */
export class FifoReader {
  readonly #ports: ReaderPorts
  readonly #fd: number
  readonly #socket: Socket
  readonly #lines = new FifoLineSplitter()
  readonly #unfinished = new Set<Promise<void>>()
  #stopWaiting: () => void = () => undefined
  #isClosed = false

  constructor(fd: number, ports: ReaderPorts) {
    this.#fd = fd
    this.#ports = ports
    const callback = (count: number): boolean => this.#read(count)
    const options: SocketConstructorOpts & ConnectOpts = {
      fd,
      readable: true,
      writable: false,
      onread: { buffer, callback },
    }
    this.#socket = new Socket(options)
    this.#socket.on('error', (cause) => ports.onFailed(cause))
  }

  /** Takes what is still in it, and closes it. Resolves when all lines are through. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopWaiting()
    // One that has failed is closed already, and its descriptor may be another's.
    if (!this.#socket.destroyed) this.#takeLeft()
    this.#giveUp()
    this.#socket.destroy()
    await Promise.all(this.#unfinished)
  }

  /** False if the next ones have to wait. */
  #read(count: number): boolean {
    this.#stopWaiting()
    this.#handle(this.#lines.push(buffer.subarray(0, count), performance.now()))
    if (this.#unfinished.size > maxUnfinished) return false
    this.#wait()
    return true
  }

  #handle(found: Found[]): void {
    for (const one of found) {
      if ('refused' in one) this.#ports.onRefused(one.refused)
      else this.#follow(this.#ports.onLine(one.line))
    }
  }

  #follow(done: Promise<void> | undefined): void {
    if (done === undefined) return
    const end = done.finally(() => {
      this.#unfinished.delete(end)
      if (this.#unfinished.size === maxUnfinished / 2) this.#goOn()
    })
    this.#unfinished.add(end)
  }

  /** Without effect if it was not stopped. */
  #goOn(): void {
    if (this.#isClosed) return
    this.#socket.resume()
    this.#wait()
  }

  #wait(): void {
    this.#stopWaiting()
    const { patienceMs } = this.#lines
    if (patienceMs !== null) this.#stopWaiting = whenQuiet(patienceMs, () => this.#giveUp())
  }

  #giveUp(): void {
    this.#handle(this.#lines.giveUp())
  }

  #takeLeft(): void {
    for (let left = maxLeftBytes; left > 0; left -= buffer.length) {
      const count = this.#readNow()
      if (count === 0) return
      this.#handle(this.#lines.push(buffer.subarray(0, count), performance.now()))
    }
  }

  /** Zero if it is empty. */
  #readNow(): number {
    try {
      return readSync(this.#fd, buffer, 0, buffer.length, null)
    } catch {
      return 0
    }
  }
}

/** After a busy time a timer comes before what there is to read meanwhile: so that is read first. */
const whenQuiet = (ms: number, callback: () => void): (() => void) => {
  let immediate: NodeJS.Immediate | undefined
  const stop = after(ms, () => {
    immediate = setImmediate(callback)
  })
  return () => {
    stop()
    clearImmediate(immediate)
  }
}
