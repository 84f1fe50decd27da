import { maxLineBytes } from './line.ts'

export type Found = { line: Buffer } | { refused: string }

/** Half a line counts as a whole one when nothing more of it came for so long. */
const partialMs = 5000
/** After a line that is too long, what is left of it may still come, between the lines of others, until the FIFO was quiet for so long. */
const quietMs = 250
/** On a FIFO that is never quiet: so long after the last line that was too long. */
const busyMs = 5000

const newline = 0x0a
const tooLong = `a line of more than ${maxLineBytes} bytes`
const inDoubt = `a line that may be a piece of one of more than ${maxLineBytes} bytes, which came just before`
const unfinished = 'half a line, whose writer was still at it when its FIFO was closed'

/**
 * Cuts what comes out of a FIFO into lines. A line that is too long may have been torn apart, and each piece looks like
 * a line of its own: from then on everything is refused, until no piece can be left.
 */
export class FifoLineSplitter {
  /** The beginning of a line whose end has not come. */
  readonly #begun = Buffer.alloc(maxLineBytes)
  #size = 0
  /** When the last line that was too long came; null: nothing is in doubt. */
  #doubtedAt: number | null = null

  push(chunk: Buffer, now: number): Found[] {
    const found: Found[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#extend(chunk.subarray(start, end), now, found)
      const line = this.#begunLine()
      if (line !== null) found.push(this.#doubtedAt === null ? { line } : { refused: inDoubt })
      this.#size = 0
      if (this.#doubtedAt !== null && now - this.#doubtedAt >= busyMs) this.#doubtedAt = null
      start = end + 1
    }
    this.#extend(chunk.subarray(start), now, found)
    return found
  }

  /** How long nothing may come until `end` is due; null: nothing is waited for. */
  get patienceMs(): number | null {
    if (this.#size > 0) return partialMs
    return this.#doubtedAt === null ? null : quietMs
  }

  /** All writers are gone, or nothing came for `patienceMs`: what is there is the whole line, and of no long one a piece can be left. */
  end(): Found[] {
    const begun = this.#begunLine()
    const isInDoubt = this.#doubtedAt !== null
    this.#size = 0
    this.#doubtedAt = null
    if (begun === null) return []
    return [isInDoubt ? { refused: inDoubt } : { line: begun }]
  }

  /** Nothing more is read, though a writer may be in the middle of a line. */
  abandon(): Found[] {
    const isHalf = this.#begunLine() !== null
    this.#size = 0
    this.#doubtedAt = null
    return isHalf ? [{ refused: unfinished }] : []
  }

  /** Null if there is none, or if it is too long already. */
  #begunLine(): Buffer | null {
    const isOne = this.#size > 0 && this.#size < maxLineBytes
    return isOne ? Buffer.from(this.#begun.subarray(0, this.#size)) : null
  }

  #extend(part: Buffer, now: number, found: Found[]): void {
    const wasTooLong = this.#size >= maxLineBytes
    part.copy(this.#begun, this.#size)
    this.#size += part.length
    if (this.#size < maxLineBytes) return
    this.#doubtedAt = now
    if (!wasTooLong) found.push({ refused: tooLong })
  }
}
