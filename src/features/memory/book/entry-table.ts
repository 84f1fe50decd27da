import { type Entry, weightAt } from './entry.ts'

/** How many of those not run for longest are compared when one has to go. */
const COMPARED = 16

/** A bounded number of commands; of those not run for longest, the one that was run least goes first. */
export class EntryTable {
  readonly #capacity: number
  readonly #entries: Map<string, Entry>

  constructor(capacity: number, entries: readonly Entry[] = []) {
    this.#capacity = capacity
    this.#entries = new Map(entries.map((entry) => [entry.text, entry]))
  }

  get(text: string): Entry | undefined {
    return this.#entries.get(text)
  }

  /** As the one that was run last. Tells which one had to go. */
  set(entry: Entry): Entry | undefined {
    this.#entries.delete(entry.text)
    this.#entries.set(entry.text, entry)
    if (this.#entries.size <= this.#capacity) return undefined
    const weakest = this.#weakest(entry.step)
    if (weakest !== undefined) this.#entries.delete(weakest.text)
    return weakest
  }

  all(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  #weakest(step: number): Entry | undefined {
    let weakest: Entry | undefined
    let left = COMPARED
    for (const entry of this.#entries.values()) {
      if (weakest === undefined || weightAt(entry, step) < weightAt(weakest, step)) weakest = entry
      if (--left === 0) break
    }
    return weakest
  }
}
