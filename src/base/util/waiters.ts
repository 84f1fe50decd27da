/** Callers that wait for the next news, each with a time limit. */
export class Waiters {
  readonly #told = new Set<() => void>()

  /** True at the next news, false after `ms` without any. */
  next(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isNews: boolean): void => {
        clearTimeout(timer)
        this.#told.delete(tell)
        resolve(isNews)
      }
      const tell = (): void => settle(true)
      const timer = setTimeout(() => settle(false), ms)
      this.#told.add(tell)
    })
  }

  tell(): void {
    for (const tell of this.#told) tell()
  }
}
