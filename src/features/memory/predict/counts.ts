export interface CountsShape {
  /** Symbols kept for one context. */
  readonly width: number
  /** Contexts kept; a power of two. */
  readonly mostRows: number
  /** What remains of a recent weight when the context comes again. */
  readonly keep: number
}

const PROBES = 6
const FIRST_ROWS = 1024
const FULL = 0.5
/** What a row loses each time it stands in the way of another, so that nothing stays for ever. */
const AGEING = 0.98
/** The head of a row: the key of its context and how often it came; 0 times is a free row. */
const HEAD = 2
const TOTAL = 1
/** A row has places, each with a symbol, a count (0 is a free place: no more follow), and a weight that fades. */
export const PLACE = 3
const COUNT = 1
const RECENT = 2
const BYTES = 4

/** How often, and how lately, each symbol came in each context, in a fixed amount of memory. */
export class Counts {
  readonly shape: CountsShape
  readonly #stride: number
  #rows: number
  #used = 0
  /** Heads lie apart, side by side, as most contexts that are looked for are not known. The same memory as whole numbers and as fractions. */
  #heads: Int32Array
  #totals: Float32Array
  #whole: Int32Array
  #parts: Float32Array

  constructor(shape: CountsShape) {
    this.shape = shape
    this.#stride = PLACE * shape.width
    this.#rows = Math.min(FIRST_ROWS, shape.mostRows)
    this.#heads = new Int32Array(this.#rows * HEAD)
    this.#totals = new Float32Array(this.#heads.buffer)
    this.#whole = new Int32Array(this.#rows * this.#stride)
    this.#parts = new Float32Array(this.#whole.buffer)
  }

  /** The row of a context, or -1. Rows are never given back, so a free one ends the search. */
  find(key: number): number {
    const mask = this.#rows - 1
    const heads = this.#heads
    for (let probe = 0; probe < PROBES; probe++) {
      const row = (key + probe) & mask
      if (heads[row * HEAD + TOTAL] === 0) return -1
      if (heads[row * HEAD] === key) return row
    }
    return -1
  }

  total(row: number): number {
    return row < 0 ? 0 : (this.#totals[row * HEAD + TOTAL] ?? 0)
  }

  /** The first place of a row; the others follow, PLACE apart, up to `end`. */
  firstPlace(row: number): number {
    return row * this.#stride
  }

  end(row: number): number {
    return (row + 1) * this.#stride
  }

  /** Where a symbol stands in a row, or -1. */
  place(row: number, symbol: number): number {
    if (row < 0) return -1
    const whole = this.#whole
    const end = this.end(row)
    for (let place = this.firstPlace(row); place < end && whole[place + COUNT] !== 0; place += PLACE)
      if (whole[place] === symbol) return place
    return -1
  }

  symbol(place: number): number {
    return this.#whole[place] ?? 0
  }

  count(place: number): number {
    return place < 0 ? 0 : (this.#parts[place + COUNT] ?? 0)
  }

  recent(place: number): number {
    return place < 0 ? 0 : (this.#parts[place + RECENT] ?? 0)
  }

  add(key: number, symbol: number): void {
    const row = this.#rowFor(key)
    const parts = this.#parts
    const place = this.#placeFor(row, symbol)
    parts[place + COUNT] = (parts[place + COUNT] ?? 0) + 1
    parts[place + RECENT] = (parts[place + RECENT] ?? 0) + 1 - this.shape.keep
    this.#totals[row * HEAD + TOTAL] = this.total(row) + 1
  }

  /** In one pass all recent weights fade, and the symbol is found or takes a free place, or that of one that is rare and long unused. */
  #placeFor(row: number, symbol: number): number {
    const { keep } = this.shape
    const parts = this.#parts
    const end = this.end(row)
    let worst = -1
    let least = Number.POSITIVE_INFINITY
    let found = -1
    let at = this.firstPlace(row)
    for (; at < end; at += PLACE) {
      const count = parts[at + COUNT] ?? 0
      if (count === 0) break
      const recent = (parts[at + RECENT] ?? 0) * keep
      parts[at + RECENT] = recent
      if (this.#whole[at] === symbol) found = at
      const worth = count * 0.05 + recent
      if (worth >= least) continue
      least = worth
      worst = at
    }
    return found >= 0 ? found : this.#take(at < end ? at : worst, symbol)
  }

  #take(place: number, symbol: number): number {
    this.#whole[place] = symbol
    this.#parts[place + COUNT] = 0
    this.#parts[place + RECENT] = 0
    return place
  }

  #rowFor(key: number): number {
    const found = this.find(key)
    if (found >= 0) return found
    if (this.#used > this.#rows * FULL && this.#rows < this.shape.mostRows) this.#grow()
    return this.#emptyRow(key)
  }

  /** A row with nothing in it, whichever context had to go for it. */
  #emptyRow(key: number): number {
    const row = this.#victim(key)
    if (this.total(row) === 0) this.#used++
    const end = this.end(row)
    for (let place = this.firstPlace(row); place < end && this.#whole[place + COUNT] !== 0; place += PLACE)
      this.#whole[place + COUNT] = 0
    this.#heads[row * HEAD] = key
    this.#totals[row * HEAD + TOTAL] = 0
    return row
  }

  #victim(key: number): number {
    const mask = this.#rows - 1
    const totals = this.#totals
    let victim = key & mask
    for (let probe = 0; probe < PROBES; probe++) {
      const row = (key + probe) & mask
      if (this.total(row) === 0) return row
      totals[row * HEAD + TOTAL] = this.total(row) * AGEING
      if (this.total(row) < this.total(victim)) victim = row
    }
    return victim
  }

  #grow(): void {
    const [heads, totals, whole] = [this.#heads, this.#totals, this.#whole]
    this.#rows *= 2
    this.#used = 0
    this.#heads = new Int32Array(this.#rows * HEAD)
    this.#totals = new Float32Array(this.#heads.buffer)
    this.#whole = new Int32Array(this.#rows * this.#stride)
    this.#parts = new Float32Array(this.#whole.buffer)
    for (let row = 0; row < this.#rows / 2; row++) {
      const total = totals[row * HEAD + TOTAL] ?? 0
      if (total === 0) continue
      const to = this.#emptyRow(heads[row * HEAD] ?? 0)
      this.#totals[to * HEAD + TOTAL] = total
      this.#whole.set(whole.subarray(row * this.#stride, (row + 1) * this.#stride), to * this.#stride)
    }
  }

  /** All that is known, as bytes. */
  save(): Uint8Array[] {
    return [bytesOf(Float64Array.of(this.#rows, this.#used)), bytesOf(this.#heads), bytesOf(this.#whole)]
  }

  load([sizes, heads, places]: readonly Uint8Array[]): void {
    const [rows = 0, used = 0] = new Float64Array(new Uint8Array(sizes ?? []).buffer)
    const [headsCopy, placesCopy] = [new Uint8Array(heads ?? []), new Uint8Array(places ?? [])]
    const stride = this.#stride * BYTES
    if (headsCopy.length !== rows * HEAD * BYTES || placesCopy.length !== rows * stride)
      throw new Error('a table of counts is cut off')
    this.#rows = rows
    this.#used = used
    this.#heads = new Int32Array(headsCopy.buffer)
    this.#totals = new Float32Array(headsCopy.buffer)
    this.#whole = new Int32Array(placesCopy.buffer)
    this.#parts = new Float32Array(placesCopy.buffer)
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
