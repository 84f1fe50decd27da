import { closeSync, constants, type FSWatcher, fstatSync, openSync, readSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { onBeat } from '../../base/util/beat.ts'
import { LineSplitter } from '../../base/util/line-splitter.ts'
import { Waiters } from '../../base/util/waiters.ts'

/** One for all, because reading is synchronous and copies out what it found: a megabyte for each read would keep the collector busy. */
const buffer = Buffer.allocUnsafe(1 << 20)
/** A watcher may miss changes (and some file systems tell nothing): then this finds them. */
const rescanMs = 2000

/** Follows a growing file of lines from its beginning; the file may not be there yet. */
export class FileTail {
  readonly #path: string
  readonly #onLines: (lines: string[]) => void
  readonly #onRestart: () => void
  #splitter = new LineSplitter()
  readonly #stopRescan: () => void
  #watcher: FSWatcher | null = null
  #fd: number | null = null
  #position = 0
  #isClosed = false
  readonly #waiters = new Waiters()

  /** `onRestart` is called when another file has taken its place: then everything comes again. */
  constructor(path: string, onLines: (lines: string[]) => void, onRestart: () => void = () => undefined) {
    this.#path = path
    this.#onLines = onLines
    this.#onRestart = onRestart
    this.#stopRescan = onBeat(rescanMs, () => this.read())
    this.read()
  }

  /** Reads what is there now. */
  read(): void {
    if (!this.#open()) return
    const lines: string[] = []
    for (;;) {
      const count = this.#readSome()
      if (count === 0) break
      this.#position += count
      for (const line of this.#splitter.push(buffer.subarray(0, count))) lines.push(line)
    }
    if (lines.length > 0) this.#deliver(lines)
  }

  /** A disk that fails now may answer at the next look. */
  #readSome(): number {
    try {
      return readSync(this.#fd ?? -1, buffer, 0, buffer.length, this.#position)
    } catch {
      return 0
    }
  }

  /** True at the next new lines, false after `ms` without any. */
  next(ms: number): Promise<boolean> {
    return this.#waiters.next(ms)
  }

  close(): void {
    this.#isClosed = true
    this.#stopRescan()
    this.#watcher?.close()
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #deliver(lines: string[]): void {
    this.#onLines(lines)
    this.#waiters.tell()
  }

  #open(): boolean {
    if (this.#fd !== null && this.#wasReplaced(this.#fd)) this.#restart(this.#fd)
    if (this.#fd !== null || this.#isClosed) return !this.#isClosed
    this.#fd = openFile(this.#path)
    if (this.#fd !== null) this.#watch(this.#path)
    else if (this.#watcher === null) this.#watch(dirname(this.#path))
    return this.#fd !== null
  }

  /** Some CLIs write a conversation anew when it is rewound. */
  #wasReplaced(fd: number): boolean {
    try {
      const { ino, size } = fstatSync(fd)
      return statSync(this.#path).ino !== ino || size < this.#position
    } catch {
      return false
    }
  }

  #restart(fd: number): void {
    closeSync(fd)
    this.#fd = null
    this.#position = 0
    this.#splitter = new LineSplitter()
    this.#onRestart()
  }

  #watch(path: string): void {
    this.#watcher?.close()
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.read())
      this.#watcher.on('error', () => undefined)
    } catch {
      this.#watcher = null
    }
  }
}

/** Whatever else may be at that place is not waited for: a FIFO without a writer would stop everything. */
const openFile = (path: string): number | null => {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
    return null
  } catch {
    return null
  }
}
