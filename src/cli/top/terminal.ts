import { ReinError } from '../../contract/errors.ts'
import type { Env } from '../../client/agent-env.ts'
import { KeyReader } from './keys.ts'
import { Screen } from './screen.ts'
import type { Size } from './view.ts'

export interface Listeners {
  key(key: string): void
  resize(): void
  /** Somebody wants the process to end. */
  end(): void
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const isTerminal = (env: Env): boolean => process.stdout.isTTY && env['TERM'] !== 'dumb'

/** Aborted when somebody wants the process to end: what is under way then comes to its end. */
export const untilAskedToEnd = (): AbortSignal => {
  const ended = new AbortController()
  for (const signal of endings) process.once(signal, () => ended.abort())
  return ended.signal
}

/** The terminal while a view has all of it: what it showed before comes back, however the process ends. */
export class Terminal {
  readonly screen = new Screen(process.stdout)
  readonly #keys = new KeyReader()
  readonly #on: Listeners
  #stopListening: () => void = () => undefined

  constructor(env: Env, listeners: Listeners) {
    if (!isTerminal(env) || !process.stdin.isTTY)
      throw new ReinError('usage', 'This needs a terminal.', 'For programs: rein top --json, or rein ps --watch.')
    this.#on = listeners
  }

  get size(): Size {
    return { columns: process.stdout.columns, rows: process.stdout.rows }
  }

  open(): void {
    const onData = (chunk: Buffer): void => this.#keys.read(chunk.toString()).forEach((key) => this.#on.key(key))
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

  /** Somebody else has the terminal meanwhile. */
  async lend(use: () => Promise<void>): Promise<void> {
    this.close()
    try {
      await use()
    } finally {
      this.open()
    }
  }
}
