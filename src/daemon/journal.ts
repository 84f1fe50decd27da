import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import type { Journal, LogEntry, LogEntryName } from '../contract/logs.ts'
import { onBeat } from '../base/util/beat.ts'
import { redactDeep } from '../base/redact/redact.ts'

export interface JournalOptions {
  path: string
  level: string
  maxBytes: number
  maxFiles: number
  foreground: boolean
}

const troubles: readonly LogEntryName[] = ['trouble', 'crash']
const sizeCheckMs = 10_000
const keptBytes = 1024 * 1024

/** The daemon's log file: JSON lines, named entries, without secrets, rotated by size. */
export class JournalFile implements Journal {
  readonly #logger: pino.Logger
  readonly #file: ReturnType<typeof pino.destination>
  readonly #options: JournalOptions
  readonly #stopChecking: () => void

  constructor(options: JournalOptions) {
    this.#options = options
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 })
    this.#file = pino.destination({ dest: options.path, append: true, mode: 0o600, sync: true, maxLength: keptBytes })
    // A full disk must not end the daemon: what could not be written is kept for later, up to a limit.
    this.#file.on('error', () => undefined)
    const streams = [
      { stream: this.#file, level: options.level as pino.Level },
      ...(options.foreground ? [{ stream: process.stderr }] : []),
    ]
    this.#logger = pino({ level: options.level, base: null }, pino.multistream(streams))
    this.#stopChecking = onBeat(sizeCheckMs, () => this.#rotate())
    this.#rotate()
  }

  write<N extends LogEntryName>(name: N, fields: LogEntry<N>): void {
    const { value } = redactDeep(fields)
    if (troubles.includes(name)) this.#logger.warn(value, name)
    else this.#logger.info(value, name)
  }

  /** Nothing to flush: entries are written at once, and flushing would wait for room on a full disk, for ever. */
  close(): void {
    this.#stopChecking()
  }

  #rotate(): void {
    try {
      if ((statSync(this.#options.path, { throwIfNoEntry: false })?.size ?? 0) >= this.#options.maxBytes) this.#moveOn()
    } catch (cause) {
      this.write('trouble', { where: 'log file', reason: String(cause) })
    }
  }

  #moveOn(): void {
    const { path, maxFiles } = this.#options
    for (let number = maxFiles - 1; number >= 1; number -= 1) {
      const from = number === 1 ? path : `${path}.${number - 1}`
      if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${number}`)
    }
    rmSync(path, { force: true })
    this.#file.reopen()
  }
}
