import type { Found } from './found.ts'

/** Reads a history piece by piece: each gives the commands that are whole by then, `end` the last one. */
export interface HistoryReader {
  push(chunk: Buffer): Found[]
  end(): Found[]
}

/** All commands of a file, as its pieces come. */
export async function* readHistory(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  reader: HistoryReader,
): AsyncGenerator<Found> {
  for await (const chunk of chunks) yield* reader.push(chunk)
  yield* reader.end()
}

const newline = 0x0a

/** Whole lines as bytes, without their ends: a history need not be UTF-8. */
export class ByteLines {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const lines: Buffer[] = []
    let start = 0
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, start)) {
      lines.push(bytes.subarray(start, at))
      start = at + 1
    }
    // A copy: a stream may fill its buffer again.
    this.#rest = Buffer.from(bytes.subarray(start))
    return lines
  }

  end(): Buffer[] {
    return this.#rest.length === 0 ? [] : [this.#rest]
  }
}
