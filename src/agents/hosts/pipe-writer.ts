import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { ReinError } from '../../contract/errors.ts'

const retryMs = 20

/** Writes to a FIFO whose reader may be slow, without ever blocking the daemon. */
export class PipeWriter {
  readonly #path: string
  #fd: number | null = null
  #queue: Promise<void> = Promise.resolve()
  #closed = false

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when the reader's pipe has all of it; one text at a time, in order. */
  write(text: string): Promise<void> {
    const written = this.#queue.then(() => this.#writeAll(Buffer.from(text)))
    this.#queue = written.catch(() => undefined)
    return written
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    if (this.#fd !== null) closeSync(this.#fd)
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      if (this.#closed) throw new ReinError('not_running', 'The agent has ended.')
      const count = this.#writeSome(bytes.subarray(done))
      done += count
      if (count === 0) await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }

  #writeSome(bytes: Buffer): number {
    try {
      // Opened only now: a reader that has gone is a failed write, not a daemon that cannot start.
      this.#fd ??= openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK)
      return writeSync(this.#fd, bytes)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EAGAIN') return 0
      if (code === 'ENXIO' || code === 'EPIPE') throw new ReinError('not_running', 'The agent has ended.')
      throw cause
    }
  }
}
