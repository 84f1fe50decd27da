/** Those who wait for the next change of an agent. */
export class Changes {
  #waiting: (() => void)[] = []

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves at the next one, or when time is up. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
