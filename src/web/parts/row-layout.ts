/** Where rows of different heights stand: measured ones as they are, all others by an estimate. */
export class RowLayout {
  readonly #heights = new Map<string, number>()
  readonly #estimate: number
  #keys: readonly string[] = []
  #indexes = new Map<string, number>()
  /** One more than there are rows: the last is the whole height. */
  #tops = new Float64Array(1)
  #isStale = false

  constructor(estimate: number) {
    this.#estimate = estimate
  }

  setKeys(keys: readonly string[]): void {
    if (keys === this.#keys) return
    this.#keys = keys
    this.#indexes = new Map(keys.map((key, index) => [key, index]))
    this.#isStale = true
  }

  /** Whether that changes anything. */
  setHeight(key: string, height: number): boolean {
    if (this.#heights.get(key) === height) return false
    this.#heights.set(key, height)
    this.#isStale = true
    return true
  }

  indexOf(key: string): number | undefined {
    return this.#indexes.get(key)
  }

  topOf(index: number): number {
    return this.#freshTops()[Math.max(0, Math.min(index, this.#keys.length))] ?? 0
  }

  get height(): number {
    return this.topOf(this.#keys.length)
  }

  /** The row at this distance from the top; the nearest one outside. */
  indexAt(y: number): number {
    const tops = this.#freshTops()
    let low = 0
    let high = Math.max(0, this.#keys.length - 1)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((tops[middle] ?? 0) <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  #freshTops(): Float64Array {
    if (!this.#isStale) return this.#tops
    this.#isStale = false
    this.#tops = new Float64Array(this.#keys.length + 1)
    let top = 0
    for (const [index, key] of this.#keys.entries()) {
      top += this.#heights.get(key) ?? this.#estimate
      this.#tops[index + 1] = top
    }
    return this.#tops
  }
}
