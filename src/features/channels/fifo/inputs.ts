import { execFile } from 'node:child_process'
import { constants, type FSWatcher, lstatSync, watch } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asReinError } from '../../../contract/errors.ts'
import { onBeat } from '../../../base/util/beat.ts'
import { type FifoFile, listFifos, openFifo, type UnusedFifo } from './files.ts'
import { inTurns } from './in-turns.ts'
import { decodeLine, type FifoMessage, parseLine } from './line.ts'
import { FifoReader } from './reader.ts'

interface FifoInputsPorts {
  /** The runtime directory, which is this user's alone. */
  dir: string
  /** In the order of arrival; resolves when the message is on disk. */
  onMessage(channel: string, message: FifoMessage): Promise<unknown>
  /** A line that did not become a message. */
  onRefused(channel: string, reason: string): void
  /** A FIFO is read from now on, or no longer. */
  onChange(file: string, what: 'registered' | 'deregistered'): void
  /** A file that cannot be used, told once. */
  onTrouble(where: string, cause: unknown): void
}

interface Input {
  /** Null: it names no channel, and is read only so that writers do not block for ever. */
  channel: string | null
  ino: number
  reader: FifoReader
}

/** The lines of one FIFO that were refused since the daemon started. */
interface Refusals {
  count: number
  last: string
}

const run = promisify(execFile)
/** A watcher may miss changes: then this finds them. */
const rescanMs = 2000

/** The FIFOs `in` and `in.<channel>` of a directory, each read as long as it is there. */
export class FifoInputs {
  readonly #ports: FifoInputsPorts
  readonly #inputs = new Map<string, Input>()
  readonly #closing = new Set<Promise<void>>()
  /** The problems that were reported already, by file. */
  #troubles = new Map<string, string>()
  #watcher: FSWatcher | null = null
  #stopRescan: (() => void) | null = null
  #soon: NodeJS.Immediate | null = null
  /** Lines that were read and not yet taken, by FIFO. */
  readonly #read = new Map<string, (() => void)[]>()
  #releasing: NodeJS.Immediate | null = null
  readonly #refusals = new Map<string, Refusals>()
  #making: Promise<void> | null = null
  #couldMake = true
  #isClosed = false

  constructor(ports: FifoInputsPorts) {
    this.#ports = ports
  }

  /** The channels that have one now. */
  names(): string[] {
    return [...new Set([...this.#inputs.values()].flatMap(({ channel }) => channel ?? []))]
  }

  /** Lines that became no message, by channel. */
  refusals(): Map<string, Refusals> {
    return new Map([...this.#refusals].map(([file, refusals]) => [channelOf(file), refusals]))
  }

  /** Files that have the name of a FIFO and bring in nothing. */
  unused(): UnusedFifo[] {
    return [...this.#troubles]
      .filter(([file]) => isFifoName(file))
      .map(([file, reason]) => ({ file, reason, refused: this.#refusals.get(file)?.count ?? 0 }))
  }

  /** Makes `in`, which is always there; the others are made by those who write to them. */
  async start(): Promise<void> {
    await this.#make()
    if (this.#isClosed) return
    try {
      this.#watcher = watch(this.#ports.dir, { persistent: false }, (event, file) => this.#noticed(event, file))
      this.#watcher.on('error', (cause) => this.#ports.onTrouble('watching the FIFOs', cause))
    } catch (cause) {
      this.#ports.onTrouble('watching the FIFOs', cause)
    }
    this.#stopRescan = onBeat(rescanMs, () => this.scan())
    this.scan()
  }

  /** Resolves when all that was in them is taken over. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRescan?.()
    this.#watcher?.close()
    if (this.#soon !== null) clearImmediate(this.#soon)
    for (const file of this.#inputs.keys()) this.#remove(file)
    await Promise.all([...this.#closing, this.#making])
  }

  /** Looks what has come, gone or been replaced. */
  scan(): void {
    const troubles = new Map<string, string>()
    const found = this.#list(troubles)
    if (found !== null) this.#follow(found, troubles)
    for (const [file, reason] of troubles)
      if (this.#troubles.get(file) !== reason) this.#ports.onTrouble(`reading ${file}`, reason)
    this.#troubles = troubles
  }

  #make(): Promise<void> {
    const path = join(this.#ports.dir, 'in')
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return Promise.resolve()
    this.#making ??= run('mkfifo', ['-m', '600', path])
      .then(
        () => this.#made(path, null),
        (cause: unknown) => this.#made(path, cause),
      )
      .finally(() => {
        this.#making = null
      })
    return this.#making
  }

  /** Told once, however often it is tried. */
  #made(path: string, cause: unknown): void {
    if (cause !== null && this.#couldMake) this.#ports.onTrouble(`making ${path}`, cause)
    this.#couldMake = cause === null
  }

  #follow(found: FifoFile[], troubles: Map<string, string>): void {
    for (const { file, problem } of found) if (problem !== null) troubles.set(file, problem)
    const readable = found.filter(({ isOwnFifo }) => isOwnFifo)
    const inos = new Map(readable.map(({ file, ino }) => [file, ino]))
    for (const [file, { ino }] of this.#inputs) if (inos.get(file) !== ino) this.#drop(file)
    for (const one of readable) if (!this.#inputs.has(one.file)) this.#add(one, troubles)
    if (!found.some(({ file }) => file === 'in')) void this.#make()
  }

  /** Null if the directory cannot be read now, which says nothing about what is in it. */
  #list(troubles: Map<string, string>): FifoFile[] | null {
    try {
      return listFifos(this.#ports.dir, 'in')
    } catch (cause) {
      troubles.set(this.#ports.dir, asReinError(cause).message)
      return null
    }
  }

  #add(one: FifoFile, troubles: Map<string, string>): void {
    const { file, channel, ino, problem } = one
    try {
      const reader = new FifoReader(() => openFifo(one, constants.O_RDONLY), {
        onLine: (line) => this.#inOrder(file, () => this.#take(one, line)),
        onRefused: (reason) => this.#refuse(file, reason),
        onFailed: (cause) => {
          // The next look opens it again.
          this.#ports.onTrouble(`reading ${file}`, cause)
          this.#drop(file)
        },
        onGone: () => {
          // It was removed, replaced or made unusable.
          this.#drop(file)
          this.scan()
        },
      })
      this.#inputs.set(file, { channel: problem === null ? channel : null, ino, reader })
      this.#ports.onChange(file, 'registered')
    } catch (cause) {
      troubles.set(file, asReinError(cause).message)
    }
  }

  #drop(file: string): void {
    this.#remove(file)
    this.#ports.onChange(file, 'deregistered')
  }

  #remove(file: string): void {
    const closing = this.#inputs.get(file)?.reader.close()
    this.#inputs.delete(file)
    if (closing === undefined) return
    this.#release()
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }

  /** Not before all that can be read now was read: only then it is clear what came first. */
  #inOrder(file: string, take: () => Promise<void> | undefined): Promise<void> {
    return new Promise((resolve) => {
      const taking = (): void => void (take() ?? Promise.resolve()).then(resolve)
      const waiting = this.#read.get(file) ?? []
      waiting.push(taking)
      this.#read.set(file, waiting)
      this.#releasing ??= setImmediate(() => this.#release())
    })
  }

  #release(): void {
    if (this.#releasing !== null) clearImmediate(this.#releasing)
    this.#releasing = null
    const lines = inTurns([...this.#read.values()])
    this.#read.clear()
    for (const take of lines) take()
  }

  #take({ file, channel, problem }: FifoFile, line: Buffer): Promise<void> | undefined {
    const text = decodeLine(line)
    const message = text === null ? null : parseLine(text)
    if (message === null) this.#refuse(file, 'a line that is not UTF-8')
    if (message === null || message.text.trim() === '') return undefined
    if (problem !== null) {
      this.#refuse(file, problem)
      return undefined
    }
    return this.#ports.onMessage(channel, message).then(
      () => undefined,
      (cause: unknown) => this.#refuse(file, asReinError(cause).message),
    )
  }

  #refuse(file: string, reason: string): void {
    this.#refusals.set(file, { count: (this.#refusals.get(file)?.count ?? 0) + 1, last: reason })
    this.#ports.onRefused(channelOf(file), reason)
  }

  /** A write to a FIFO can be a change too; of many changes at once only the last is looked at. */
  #noticed(event: string, file: string | null): void {
    const isWrite = event === 'change' && file !== null && this.#inputs.has(file)
    if (isWrite || (file !== null && !isFifoName(file))) return
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.scan()
    })
  }
}

const isFifoName = (file: string): boolean => /^in(\.|$)/.test(file)

const channelOf = (file: string): string => (file === 'in' ? file : file.slice('in.'.length))
