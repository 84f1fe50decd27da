/** A queue of events for one reader. */
export class EventsQueue<T> {
  #waiting: T[] = []
  #isClosed = false
  #wake: () => void = () => undefined

  push(event: T): void {
    this.#waiting.push(event)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *read(signal: AbortSignal): AsyncGenerator<T> {
    signal.addEventListener('abort', () => this.close(), { once: true })
    for (;;) {
      const taken = this.#waiting
      this.#waiting = []
      yield* taken
      if (this.#waiting.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
