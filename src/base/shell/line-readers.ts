import { BoundedMap } from '../util/bounded-map.ts'
import { unread } from './read.ts'
import type { ReadingContext, ShellReading } from './reading.ts'

/** A line that another thread is to read. */
export interface LineToRead {
  readonly text: string
  readonly context: ReadingContext
}

/** A thread that reads one line after the other; `end` ends it, whatever it is at. */
export interface ReadingThread {
  ask(line: LineToRead): void
  end(): void
}

export interface LineReaderPorts {
  /** Calls back with each reading, or once with why there will be none any more. */
  startThread: (onRead: (reading: ShellReading) => void, onEnd: (why: string) => void) => ReadingThread
  /** Calls back again and again until the function that it returns is called. */
  every: (ms: number, callback: () => void) => () => void
  onTrouble: (why: string) => void
}

interface Job extends LineToRead {
  answer: (reading: ShellReading) => void
  beats: number
}

const beatMs = 250
/** In beats of our own: while the whole process stands still, nobody is late. */
const mostBeats = 12
const mostKept = 300
const longestKept = 4_096
const mostWordsKept = 400

/**
 * Reads lines in a thread of its own. The budget of a line bounds what reading it costs; should that fail, the thread is
 * ended and replaced after a while, and of the line that it was at nobody can tell what it does.
 */
export class LineReaders {
  readonly #ports: LineReaderPorts
  readonly #waiting: Job[] = []
  /** The same line is asked for by rules, leases and whoever notes what was run. */
  readonly #kept = new BoundedMap<string, Promise<ShellReading>>(mostKept)
  #thread: ReadingThread | null = null
  #current: Job | null = null
  #stopBeating: (() => void) | null = null

  constructor(ports: LineReaderPorts) {
    this.#ports = ports
  }

  read(text: string, context: ReadingContext): Promise<ShellReading> {
    if (text.length > longestKept) return this.#enqueue({ text, context })
    const key = JSON.stringify([text, context.cwd, context.home, context.variables])
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const reading = this.#enqueue({ text, context })
    this.#kept.set(key, reading)
    void this.#keepIfSmall(key, reading)
    return reading
  }

  async #keepIfSmall(key: string, reading: Promise<ShellReading>): Promise<void> {
    if (countWords(await reading) > mostWordsKept) this.#kept.delete(key)
  }

  #enqueue(line: LineToRead): Promise<ShellReading> {
    return new Promise((answer) => {
      this.#waiting.push({ ...line, answer, beats: 0 })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== null) return
    const job = this.#waiting.shift()
    if (job === undefined) {
      this.#stopBeating?.()
      this.#stopBeating = null
      return
    }
    this.#current = job
    this.#stopBeating ??= this.#ports.every(beatMs, () => {
      if (this.#current !== null && ++this.#current.beats > mostBeats) this.#fail('it did not end in time')
    })
    try {
      this.#thread ??= this.#start()
      this.#thread.ask({ text: job.text, context: job.context })
    } catch (error) {
      this.#fail(`no thread could be started: ${String(error)}`)
    }
  }

  #start(): ReadingThread {
    const thread: ReadingThread = this.#ports.startThread(
      (reading) => this.#settle(reading),
      (why) => {
        if (this.#thread === thread) this.#fail(why)
      },
    )
    return thread
  }

  #settle(reading: ShellReading): void {
    this.#current?.answer(reading)
    this.#current = null
    this.#next()
  }

  /** The next line gets a new thread. */
  #fail(why: string): void {
    const [thread, text] = [this.#thread, this.#current?.text ?? '']
    this.#thread = null
    thread?.end()
    this.#ports.onTrouble(`a line of ${text.length} characters was not read: ${why}`)
    this.#settle(unread('too costly', text))
  }
}

const countWords = ({ runs, opaque }: ShellReading): number =>
  runs.reduce((sum, { args, pipesTo }) => sum + 1 + args.length + pipesTo.length, opaque.length)
