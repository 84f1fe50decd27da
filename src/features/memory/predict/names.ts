/** Numbers for texts, the most recently used of them; a number is never given twice. */
export class Names<Value> {
  readonly #most: number
  #next = 1
  /** Used lately, and before that: when the first are too many, the second are forgotten. */
  #fresh = new Map<string, number>()
  #old = new Map<string, number>()
  readonly #values = new Map<number, Value>()

  constructor(most: number) {
    this.#most = most
  }

  /** The number of a text, which is now among the last to be forgotten. */
  number(text: string, value: () => Value): number {
    const fresh = this.#fresh.get(text)
    if (fresh !== undefined) return fresh
    const number = this.#old.get(text) ?? this.#add(value())
    this.#fresh.set(text, number)
    if (this.#fresh.size >= this.#most / 2) this.#forgetOld()
    return number
  }

  #add(value: Value): number {
    this.#values.set(this.#next, value)
    return this.#next++
  }

  #forgetOld(): void {
    for (const [text, number] of this.#old) if (!this.#fresh.has(text)) this.#values.delete(number)
    this.#old = this.#fresh
    this.#fresh = new Map()
  }

  find(text: string): number | undefined {
    return this.#fresh.get(text) ?? this.#old.get(text)
  }

  value(number: number): Value | undefined {
    return this.#values.get(number)
  }

  save(): SavedNames<Value> {
    return { next: this.#next, fresh: this.#entries(this.#fresh), old: this.#entries(this.#old) }
  }

  #entries(texts: ReadonlyMap<string, number>): [number, string, Value][] {
    return [...texts].flatMap(([text, number]) => {
      const value = this.value(number)
      return value === undefined ? [] : [[number, text, value]]
    })
  }

  load({ next, fresh, old }: SavedNames<Value>): void {
    this.#next = next
    this.#fresh = new Map(fresh.map(([number, text]) => [text, number]))
    this.#old = new Map(old.map(([number, text]) => [text, number]))
    for (const [number, , value] of [...old, ...fresh]) this.#values.set(number, value)
  }
}

export interface SavedNames<Value> {
  readonly next: number
  readonly fresh: readonly (readonly [number, string, Value])[]
  readonly old: readonly (readonly [number, string, Value])[]
}
