/** Named gates that hold replies; once opened, a gate stays open, so that opening early loses nothing. */
export class Gates {
  readonly #opened = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()

  open(name: string): void {
    this.#opened.add(name)
    for (const go of this.#waiting.get(name) ?? []) go()
    this.#waiting.delete(name)
  }

  /** Resolves when the gate is open or the client is gone. */
  async pass(name: string, gone: AbortSignal): Promise<void> {
    if (this.#opened.has(name) || gone.aborted) return
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, waiting.add(resolve))
      gone.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
