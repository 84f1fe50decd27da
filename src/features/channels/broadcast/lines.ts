import { type Item, positionOf } from './turn-line.ts'

/** One line for subscribers, made once for all of them. */
export interface Line {
  /** Where a subscriber goes on after it. */
  seq: number
  /** The JSON with its newline. */
  json: Buffer
  /** The same as an event of an event stream, in the same memory. */
  event: Buffer
}

export const toLine = (item: Item): Line => {
  const seq = positionOf(item)
  const head = `id: ${seq}\nevent: ${'gap' in item ? 'gap' : 'turn'}\ndata: `
  const event = Buffer.from(`${head}${JSON.stringify(item)}\n\n`)
  return { seq, event, json: event.subarray(head.length, -1) }
}

export interface LineLimits {
  count: number
  bytes: number
}

/** The lines that were made last, each known by the position that it follows. */
export class Lines {
  readonly #limits: LineLimits
  readonly #lines = new Map<number, Line>()
  #bytes = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  after(position: number): Line | undefined {
    return this.#lines.get(position)
  }

  /** The newest one stays, however long it is: everybody is about to ask for it. */
  add(position: number, line: Line): void {
    this.#lines.set(position, line)
    this.#bytes += line.event.length
    for (const [oldest, { event }] of this.#lines) {
      if (this.#lines.size === 1 || !this.#isTooMuch) return
      this.#lines.delete(oldest)
      this.#bytes -= event.length
    }
  }

  get #isTooMuch(): boolean {
    return this.#lines.size > this.#limits.count || this.#bytes > this.#limits.bytes
  }
}
