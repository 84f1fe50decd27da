import { readSync } from 'node:fs'
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { after } from '../../../base/util/timer.ts'
import { FifoLineSplitter, type Found } from './line-splitter.ts'

interface ReaderPorts {
  /** Its promise resolves when the line has been handled. */
  onLine(line: Buffer): Promise<void> | undefined
  onRefused(reason: string): void
  /** It cannot be read any more. */
  onFailed(cause: Error): void
  /** Its last writer has left, and it cannot be opened again. */
  onGone(): void
}

/** So many lines may be under way before the next ones have to wait in the FIFO. */
const maxUnfinished = 1000
/** The most that a FIFO can hold for a user other than root. */
const maxLeftBytes = 1 << 20
/** One for all, because a chunk is cut into lines at once, and those are copies. */
const buffer = Buffer.allocUnsafe(1 << 16)

/**
 * Reads lines from a FIFO, by descriptors that are its own. It goes through the event loop: a read in the thread pool
 * would block a thread until a writer comes. The FIFO is open for reading alone, so that it has an end when its last
 * writer leaves, which ends a line too; then it is opened again, before it is closed, and no writer finds it without a reader.
 */
export class FifoReader {
  readonly #open: () => number
  readonly #ports: ReaderPorts
  readonly #lines = new FifoLineSplitter()
  readonly #unfinished = new Set<Promise<void>>()
  #fd: number
  #socket: Socket
  #stopWaiting: () => void = () => undefined
  #isClosed = false

  constructor(open: () => number, ports: ReaderPorts) {
    this.#open = open
    this.#ports = ports
    this.#fd = open()
    this.#socket = this.#listen(this.#fd)
  }

  #listen(fd: number): Socket {
    const callback = (count: number): boolean => {
      // False if the next ones have to wait.
      this.#stopWaiting()
      this.#push(count)
      // Seen at once: the next writer may come before the event loop tells that the last one left.
      if (this.#lines.patienceMs !== null) {
        const more = this.#readNow()
        if (more === 0) this.#handle(this.#lines.end())
        else if (more !== null) this.#push(more)
      }
      if (this.#unfinished.size > maxUnfinished) return false
      this.#wait()
      return true
    }
    const options: SocketConstructorOpts & ConnectOpts = {
      fd,
      readable: true,
      writable: false,
      onread: { buffer, callback },
    }
    const socket = new Socket(options)
    socket.on('error', (cause) => this.#ports.onFailed(cause))
    socket.on('end', () => this.#begin())
    return socket
  }

  /** The last writer has left: the next one finds it open, and nothing begun. */
  #begin(): void {
    if (this.#isClosed) return
    this.#stopWaiting()
    this.#handle(this.#lines.end())
    const earlier = this.#socket
    try {
      this.#fd = this.#open()
    } catch {
      this.#ports.onGone()
      return
    }
    this.#socket = this.#listen(this.#fd)
    earlier.destroy()
  }

  /** Takes what is still in it, and closes it. Resolves when all lines are through. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopWaiting()
    // One that has failed is closed already, and its descriptor may be another's.
    const hasWriter = this.#socket.destroyed || this.#takeLeft()
    this.#handle(hasWriter ? this.#lines.abandon() : this.#lines.end())
    this.#socket.destroy()
    await Promise.all(this.#unfinished)
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
      if (this.#unfinished.size === maxUnfinished / 2) this.#resumeReading()
    })
    this.#unfinished.add(end)
  }

  /** Without effect if it was not stopped. */
  #resumeReading(): void {
    if (this.#isClosed) return
    this.#socket.resume()
    this.#wait()
  }

  #wait(): void {
    this.#stopWaiting()
    const { patienceMs } = this.#lines
    if (patienceMs !== null) this.#stopWaiting = whenQuiet(patienceMs, () => this.#handle(this.#lines.end()))
  }

  #push(count: number): void {
    this.#handle(this.#lines.push(buffer.subarray(0, count), performance.now()))
  }

  /** Whether a writer is left. */
  #takeLeft(): boolean {
    for (let left = maxLeftBytes; left > 0; left -= buffer.length) {
      const count = this.#readNow()
      if (count === 0) return false
      if (count === null) return true
      this.#push(count)
    }
    return true
  }

  /** Zero at the end: all writers are gone. Null: there is nothing now. */
  #readNow(): number | null {
    try {
      return readSync(this.#fd, buffer, 0, buffer.length, null)
    } catch {
      return null
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
