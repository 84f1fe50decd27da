interface Bucket {
  tokens: number
  at: number
}

/** So many are remembered: a flood of made-up names must not fill the memory. */
const mostSenders = 10_000

/** How many messages each sender may bring in a minute, with the whole minute's worth at once at most. */
export class RateLimit {
  readonly #perMinute: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Whether this one may pass; it counts if so. `share`: how many times as much as one sender. */
  passes(sender: string, share = 1): boolean {
    const perMinute = this.#perMinute * share
    const { tokens, at } = this.#buckets.get(sender) ?? { tokens: perMinute, at: this.#now() }
    const now = this.#now()
    const filled = Math.min(perMinute, tokens + (Math.max(0, now - at) / 60_000) * perMinute)
    // The one that was heard of longest ago is forgotten first.
    this.#buckets.delete(sender)
    this.#buckets.set(sender, { tokens: filled < 1 ? filled : filled - 1, at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > mostSenders && oldest !== undefined) this.#buckets.delete(oldest)
    return filled >= 1
  }
}
