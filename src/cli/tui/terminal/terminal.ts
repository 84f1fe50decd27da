import { StringDecoder } from 'node:string_decoder'
import type { Env } from '../../../client/agent-env.ts'
import { type KeyListeners, KeyReader } from './keys.ts'
import { Screen } from './screen.ts'

export interface Size {
  columns: number
  rows: number
}

interface Listeners extends KeyListeners {
  resize(): void
  /** The process is asked to end. */
  end(): void
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const isTerminal = (env: Env): boolean => process.stdout.isTTY && env['TERM'] !== 'dumb'

/** Both input and output are a terminal. */
export const isInteractive = (env: Env): boolean => isTerminal(env) && process.stdin.isTTY

/** Aborted when the process is asked to end, so that streams end cleanly. */
export const untilAskedToEnd = (): AbortSignal => {
  const ended = new AbortController()
  for (const signal of endings) process.once(signal, () => ended.abort())
  return ended.signal
}

/** The terminal while a view has all of it: what it showed before comes back, however the process ends. */
export class Terminal {
  readonly screen = new Screen(process.stdout)
  readonly #keys: KeyReader
  readonly #on: Listeners
  #stopListening: () => void = () => undefined

  constructor(listeners: Listeners) {
    this.#on = listeners
    this.#keys = new KeyReader(listeners)
  }

  get size(): Size {
    return { columns: process.stdout.columns, rows: process.stdout.rows }
  }

  open(): void {
    // A character may come in two chunks.
    const decoder = new StringDecoder()
    const onData = (chunk: Buffer): void => this.#keys.read(decoder.write(chunk))
    const onResize = (): void => {
      this.screen.clear()
      this.#on.resize()
    }
    const onEnd = (): void => this.#on.end()
    const restore = (): void => this.screen.close()
    process.stdin.setRawMode(true).resume().on('data', onData)
    process.stdout.on('resize', onResize)
    process.on('exit', restore)
    for (const signal of endings) process.on(signal, onEnd)
    this.#stopListening = () => {
      process.stdin.off('data', onData).setRawMode(false).pause()
      process.stdout.off('resize', onResize)
      process.off('exit', restore)
      for (const signal of endings) process.off(signal, onEnd)
    }
    this.screen.open()
  }

  close(): void {
    this.screen.close()
    this.#stopListening()
  }

  /** Lets another program have the terminal meanwhile. */
  async lend(use: () => Promise<void>): Promise<void> {
    this.close()
    try {
      await use()
    } finally {
      this.open()
    }
  }
}
