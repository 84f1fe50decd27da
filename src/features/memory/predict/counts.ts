interface CountsShape {
  /** Symbols kept for one context. */
  readonly width: number
  /** Contexts kept; a power of two. */
  readonly mostRows: number
  /** The share of a recent weight that remains when the context comes again. */
  readonly keep: number
}

const probes = 6
const firstRows = 1024
/** The table grows when more than this share of its rows is used. */
const fullShare = 0.5
/** A row loses weight each time it stands in the way of another, so that no row stays forever. */
const ageing = 0.98
/** The head of a row: the key of its context and how often it came; a row with 0 times is free. */
const headSize = 2
const totalAt = 1
/** A row has places, each with a symbol, a count (0 is a free place: no more follow), and a weight that fades. */
const placeSize = 3
const countAt = 1
const recentAt = 2
const bytesPerNumber = 4

/** How often, and how recently, each symbol came in each context, in a fixed amount of memory. */
export class Counts {
  readonly #shape: CountsShape
  readonly #stride: number
  #rows = 0
  #used = 0
  /** Heads lie apart from places, because most lookups miss. Two views of the same memory: integers and floats. */
  #heads = new Int32Array()
  #totals = new Float32Array()
  #whole = new Int32Array()
  #parts = new Float32Array()

  constructor(shape: CountsShape) {
    this.#shape = shape
    this.#stride = placeSize * shape.width
    this.#allocate(Math.min(firstRows, shape.mostRows))
  }

  /** The row of a context, or -1. Rows are never freed, so a free one ends the search. */
  find(key: number): number {
    const mask = this.#rows - 1
    const heads = this.#heads
    for (let probe = 0; probe < probes; probe++) {
      const row = (key + probe) & mask
      if (heads[row * headSize + totalAt] === 0) return -1
      if (heads[row * headSize] === key) return row
    }
    return -1
  }

  total(row: number): number {
    return row < 0 ? 0 : (this.#totals[row * headSize + totalAt] ?? 0)
  }

  /** Visits the symbols of a row. */
  each(row: number, visit: (symbol: number, count: number, recent: number) => void): void {
    if (row < 0) return
    const end = (row + 1) * this.#stride
    for (let place = row * this.#stride; place < end; place += placeSize) {
      const count = this.count(place)
      if (count === 0) return
      visit(this.#whole[place] ?? 0, count, this.recent(place))
    }
  }

  /** The place of a symbol in a row, or -1. */
  place(row: number, symbol: number): number {
    if (row < 0) return -1
    const whole = this.#whole
    const end = (row + 1) * this.#stride
    for (let place = row * this.#stride; place < end && whole[place + countAt] !== 0; place += placeSize)
      if (whole[place] === symbol) return place
    return -1
  }

  count(place: number): number {
    return place < 0 ? 0 : (this.#parts[place + countAt] ?? 0)
  }

  recent(place: number): number {
    return place < 0 ? 0 : (this.#parts[place + recentAt] ?? 0)
  }

  add(key: number, symbol: number): void {
    let row = this.find(key)
    if (row < 0) {
      if (this.#used > this.#rows * fullShare && this.#rows < this.#shape.mostRows) this.#grow()
      row = this.#emptyRow(key)
    }
    const place = this.#fadeAndFindPlace(row, symbol)
    this.#parts[place + countAt] = this.count(place) + 1
    this.#parts[place + recentAt] = this.recent(place) + 1 - this.#shape.keep
    this.#totals[row * headSize + totalAt] = this.total(row) + 1
  }

  /** Fades all recent weights in one pass; the symbol takes a free place, or that of a rare one long unused. */
  #fadeAndFindPlace(row: number, symbol: number): number {
    const parts = this.#parts
    const end = (row + 1) * this.#stride
    let worst = -1
    let least = Number.POSITIVE_INFINITY
    let found = -1
    let at = row * this.#stride
    for (; at < end; at += placeSize) {
      const count = parts[at + countAt] ?? 0
      if (count === 0) break
      const recent = (parts[at + recentAt] ?? 0) * this.#shape.keep
      parts[at + recentAt] = recent
      if (this.#whole[at] === symbol) found = at
      const worth = count * 0.05 + recent
      if (worth >= least) continue
      least = worth
      worst = at
    }
    if (found >= 0) return found
    const place = at < end ? at : worst
    this.#whole[place] = symbol
    parts[place + countAt] = 0
    parts[place + recentAt] = 0
    return place
  }

  /** Frees a row for a context: an unused one, or that of the context that came least often. */
  #emptyRow(key: number): number {
    const mask = this.#rows - 1
    let row = key & mask
    for (let probe = 0; probe < probes; probe++) {
      const candidate = (key + probe) & mask
      if (this.total(candidate) === 0) {
        row = candidate
        break
      }
      this.#totals[candidate * headSize + totalAt] = this.total(candidate) * ageing
      if (this.total(candidate) < this.total(row)) row = candidate
    }
    if (this.total(row) === 0) this.#used++
    const end = (row + 1) * this.#stride
    for (let place = row * this.#stride; place < end && this.#whole[place + countAt] !== 0; place += placeSize)
      this.#whole[place + countAt] = 0
    this.#heads[row * headSize] = key
    this.#totals[row * headSize + totalAt] = 0
    return row
  }

  #grow(): void {
    const [heads, totals, whole, rows] = [this.#heads, this.#totals, this.#whole, this.#rows]
    this.#used = 0
    this.#allocate(2 * rows)
    for (let row = 0; row < rows; row++) {
      const total = totals[row * headSize + totalAt] ?? 0
      if (total === 0) continue
      const to = this.#emptyRow(heads[row * headSize] ?? 0)
      this.#totals[to * headSize + totalAt] = total
      this.#whole.set(whole.subarray(row * this.#stride, (row + 1) * this.#stride), to * this.#stride)
    }
  }

  #allocate(
    rows: number,
    heads = new Uint8Array(rows * headSize * bytesPerNumber),
    places = new Uint8Array(rows * this.#stride * bytesPerNumber),
  ): void {
    this.#rows = rows
    this.#heads = new Int32Array(heads.buffer)
    this.#totals = new Float32Array(heads.buffer)
    this.#whole = new Int32Array(places.buffer)
    this.#parts = new Float32Array(places.buffer)
  }

  save(): Uint8Array[] {
    return [Float64Array.of(this.#rows, this.#used), this.#heads, this.#whole].map(viewBytes)
  }

  load([sizes, heads, places]: readonly Uint8Array[]): void {
    const [rows = 0, used = 0] = new Float64Array(new Uint8Array(sizes ?? []).buffer)
    const [headBytes, placeBytes] = [new Uint8Array(heads ?? []), new Uint8Array(places ?? [])]
    const isWhole =
      headBytes.length === rows * headSize * bytesPerNumber &&
      placeBytes.length === rows * this.#stride * bytesPerNumber
    if (!isWhole) throw new Error('a table of counts is cut off')
    this.#used = used
    this.#allocate(rows, headBytes, placeBytes)
  }
}

/** The memory of an array as bytes, not copied. */
export const viewBytes = ({ buffer, byteOffset, byteLength }: Int32Array | Float32Array | Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
