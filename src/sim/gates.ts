import { EventEmitter, once } from 'node:events'

/** Named gates that hold replies; once opened, a gate stays open, so that opening early loses nothing. */
export class Gates {
  readonly #opened = new Set<string>()
  readonly #reached = new Set<string>()
  readonly #events = new EventEmitter().setMaxListeners(0)

  open(name: string): void {
    this.#opened.add(name)
    this.#events.emit(`open ${name}`)
  }

  /** Resolves when a reply has come to this gate, now or before. */
  async reached(name: string): Promise<void> {
    if (!this.#reached.has(name)) await once(this.#events, `reached ${name}`)
  }

  /** Resolves when the gate is open or the client is gone. */
  async pass(name: string, gone: AbortSignal): Promise<void> {
    this.#reached.add(name)
    this.#events.emit(`reached ${name}`)
    if (this.#opened.has(name) || gone.aborted) return
    await once(this.#events, `open ${name}`, { signal: gone }).catch(() => undefined)
  }
}
