import { type Outcome, person } from '../../../contract/outcome.ts'
import type { RecordedCommand } from '../recorded.ts'

/** A command of a history. */
export interface Found extends RecordedCommand {
  outcome: Outcome
  /** Its output, as far as that is known. */
  output: string | null
  /** Its id in its own history; null where commands have none. */
  key: string | null
}

/** A command of a person's history file. */
export const fromHistory = (command: string, at: number | null = null, durationMs: number | null = null): Found => ({
  command,
  at,
  cwd: null,
  exit: null,
  durationMs,
  session: null,
  author: person,
  outcome: 'unknown',
  output: null,
  key: null,
})

const newline = 0x0a

/** Reads a history chunk by chunk. Lines are bytes without their ends: a history need not be UTF-8. */
export abstract class HistoryReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The commands that are complete after this chunk. */
  push(chunk: Buffer): Found[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const found: Found[] = []
    let start = 0
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, start)) {
      found.push(...this.read(bytes.subarray(start, at)))
      start = at + 1
    }
    // A copy: a stream may reuse its buffer.
    this.#rest = Buffer.from(bytes.subarray(start))
    return found
  }

  end(): Found[] {
    return [...(this.#rest.length === 0 ? [] : this.read(this.#rest)), ...this.finish()]
  }

  /** The commands that are complete after this line. */
  protected abstract read(line: Buffer): Found[]
  /** The commands that the end completes. */
  protected abstract finish(): Found[]
}

/** All commands of a file. */
export async function* readHistory(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  reader: HistoryReader,
): AsyncGenerator<Found> {
  for await (const chunk of chunks) yield* reader.push(chunk)
  yield* reader.end()
}
