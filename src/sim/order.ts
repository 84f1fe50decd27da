/** One of several concurrent speakers, with the recorded time of each reply. */
export interface Speaker {
  readonly saidAt: readonly number[]
  /** How many replies have been played. */
  said: number
}

interface Waiting {
  speaker: Speaker
  at: number
  go: () => void
}

/**
 * Has several speakers say things in the order of then: an agent and its sub-agents, of which a reader would else hear
 * sooner or later than it did. Who waits for too long is let go, and with it everybody: things went otherwise.
 */
export class Order {
  readonly #patienceMs: number
  readonly #speakers = new Set<Speaker>()
  #waiting: Waiting[] = []
  #isKept = true

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  join(speaker: Speaker): void {
    this.#speakers.add(speaker)
  }

  /** Keeps the recorded order again from now on. */
  keep(): void {
    this.#isKept = true
  }

  /** Resolves when it is this speaker's turn; undefined if that is at once. */
  next(speaker: Speaker): Promise<void> | undefined {
    const at = speaker.saidAt[speaker.said]
    if (at !== undefined && this.#isKept && !this.#isDue(at))
      return new Promise((go) => {
        setTimeout(() => {
          if (!this.#waiting.some((one) => one.go === go)) return
          this.#isKept = false
          this.#look()
        }, this.#patienceMs).unref()
        this.#waiting.push({ speaker, at, go })
      })
    this.#say(speaker)
    return undefined
  }

  /** The speaker is done. */
  finish(speaker: Speaker): void {
    speaker.said = speaker.saidAt.length
    this.#look()
  }

  #isDue(at: number): boolean {
    return [...this.#speakers].every(({ saidAt, said }) => (saidAt[said] ?? Infinity) >= at)
  }

  #say(speaker: Speaker): void {
    speaker.said += 1
    this.#look()
  }

  #look(): void {
    const due = this.#waiting.find(({ at }) => !this.#isKept || this.#isDue(at))
    if (due === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== due)
    due.go()
    this.#say(due.speaker)
  }
}
