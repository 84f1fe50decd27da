import { execFile } from 'node:child_process'
import { constants, type FSWatcher, lstatSync, watch } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asReinError } from '../../contract/errors.ts'
import { onBeat } from '../../util/beat.ts'
import { type FifoFile, listFifos, openFifo } from './files.ts'
import { decodeLine, type FifoMessage, parseLine } from './line.ts'
import { FifoReader } from './reader.ts'

export interface FifoInputsPorts {
  /** The runtime directory, which is this user's alone. */
  dir: string
  /** In the order of arrival; resolves when the message is on disk. */
  onMessage(channel: string, message: FifoMessage): Promise<unknown>
  /** A line that did not become a message. */
  onRefused(channel: string, reason: string): void
  /** A FIFO has come or gone. */
  onChange?(): void
  /** A file that cannot be used, told once. */
  onTrouble(where: string, cause: unknown): void
}

interface Input {
  channel: string
  ino: number
  reader: FifoReader
}

const run = promisify(execFile)
/** A watcher may miss changes: then this finds them. */
const rescanMs = 2000

/** The FIFOs `in` and `in.<channel>` of a directory, each read as long as it is there. */
export class FifoInputs {
  readonly #ports: FifoInputsPorts
  readonly #inputs = new Map<string, Input>()
  readonly #closing = new Set<Promise<void>>()
  /** What was told already, by file. */
  #troubles = new Map<string, string>()
  #watcher: FSWatcher | null = null
  #stopRescan: (() => void) | null = null
  #soon: NodeJS.Immediate | null = null
  #isClosed = false

  constructor(ports: FifoInputsPorts) {
    this.#ports = ports
  }

  /** The channels that have one now. */
  names(): string[] {
    return [...new Set([...this.#inputs.values()].map(({ channel }) => channel))]
  }

  /** Makes `in`, which is always there; the others are made by those who write to them. */
  async start(): Promise<void> {
    await this.#make(join(this.#ports.dir, 'in'))
    if (this.#isClosed) return
    this.#watch()
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
    await Promise.all(this.#closing)
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

  async #make(path: string): Promise<void> {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return
    await run('mkfifo', ['-m', '600', path]).catch((cause: unknown) => this.#ports.onTrouble(`making ${path}`, cause))
  }

  #follow(found: FifoFile[], troubles: Map<string, string>): void {
    for (const { file, problem } of found) if (problem !== null) troubles.set(file, problem)
    const usable = found.filter(({ problem }) => problem === null)
    const inos = new Map(usable.map(({ file, ino }) => [file, ino]))
    const gone = [...this.#inputs].filter(([file, { ino }]) => inos.get(file) !== ino)
    for (const [file] of gone) this.#remove(file)
    const added = usable.filter((one) => !this.#inputs.has(one.file) && this.#add(one, troubles))
    if (gone.length + added.length > 0) this.#ports.onChange?.()
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

  /** Opened for writing too: so that it has no end when the last writer leaves. */
  #add(one: FifoFile, troubles: Map<string, string>): boolean {
    try {
      const reader = new FifoReader(openFifo(one, constants.O_RDWR), {
        onLine: (line) => this.#take(one.channel, line),
        onRefused: (reason) => this.#ports.onRefused(one.channel, reason),
        onFailed: (cause) => this.#failed(one.file, cause),
      })
      this.#inputs.set(one.file, { channel: one.channel, ino: one.ino, reader })
      return true
    } catch (cause) {
      troubles.set(one.file, asReinError(cause).message)
      return false
    }
  }

  #remove(file: string): void {
    const closing = this.#inputs.get(file)?.reader.close()
    this.#inputs.delete(file)
    if (closing === undefined) return
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }

  /** The next look opens it again. */
  #failed(file: string, cause: Error): void {
    this.#ports.onTrouble(`reading ${file}`, cause)
    this.#remove(file)
  }

  #take(channel: string, line: Buffer): Promise<void> | undefined {
    const text = decodeLine(line)
    const message = text === null ? null : parseLine(text)
    if (message === null) this.#ports.onRefused(channel, 'a line that is not UTF-8')
    if (message === null || message.text.trim() === '') return undefined
    return this.#ports.onMessage(channel, message).then(
      () => undefined,
      (cause: unknown) => this.#ports.onRefused(channel, asReinError(cause).message),
    )
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.#ports.dir, { persistent: false }, (event, file) => this.#noticed(event, file))
      this.#watcher.on('error', (cause) => this.#ports.onTrouble('watching the FIFOs', cause))
    } catch (cause) {
      this.#ports.onTrouble('watching the FIFOs', cause)
    }
  }

  /** A write to a FIFO can be a change too; of many changes at once only the last is looked at. */
  #noticed(event: string, file: string | null): void {
    const isWrite = event === 'change' && file !== null && this.#inputs.has(file)
    if (isWrite || (file !== null && !/^in(\.|$)/.test(file))) return
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.scan()
    })
  }
}
