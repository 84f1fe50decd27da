/** Runs jobs one at a time, in the order they come. A failure reaches the caller of that job only; the next job still runs. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(job: () => T | Promise<T>): Promise<T> {
    const running = this.#last.then(job)
    this.#last = running.catch(() => undefined)
    return running
  }

  /** Resolves when all jobs added so far have ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}

/** One queue for each key; it takes no memory when its jobs have ended. */
export class KeyedSerial {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const running = (this.#last.get(key) ?? Promise.resolve()).then(job)
    const ended = running.catch(() => undefined)
    this.#last.set(key, ended)
    void ended.then(() => this.#last.get(key) === ended && this.#last.delete(key))
    return running
  }
}
