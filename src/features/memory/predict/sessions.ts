import { Trail } from './trail.ts'

/** The sessions that went on last, each with its trail. */
export class Sessions {
  readonly #most: number
  /** Least recently used first. */
  readonly #trails = new Map<string, Trail>()

  constructor(most: number) {
    this.#most = most
  }

  trail(session: string): Trail {
    const trail = this.#trails.get(session) ?? new Trail(session)
    this.#trails.delete(session)
    this.#trails.set(session, trail)
    const [oldest] = this.#trails.keys()
    if (this.#trails.size > this.#most && oldest !== undefined) this.#trails.delete(oldest)
    return trail
  }

  save(): [string, ReturnType<Trail['save']>][] {
    return [...this.#trails].map(([session, trail]) => [session, trail.save()])
  }

  load(saved: ReturnType<Sessions['save']>): void {
    for (const [session, state] of saved) this.trail(session).load(state)
  }
}
