import type { Writable } from 'node:stream'
import type { Line } from './lines.ts'

/** Where the lines for one subscriber go. */
export interface Sink {
  /** How many bytes are out of our hands. */
  readonly taken: number
  /** Takes them all, and says when they are out of our hands: nothing more comes before. */
  write(lines: readonly Line[], onTaken: () => void): void
  /** Nothing is on its way, and nothing more comes. */
  end(): void
  /** Ends without waiting for bytes in flight. */
  destroy(): void
}

/** The most that is handed to the system at once, because progress within one write is unknown. */
const mouthful = 128 * 1024

export const sinkOf = (stream: Writable, pick: (line: Line) => Buffer): Sink => {
  let taken = 0
  const feed = (mouthfuls: Iterator<Buffer[]>, onTaken: () => void): void => {
    const { value: pieces, done } = mouthfuls.next()
    if (done === true) return onTaken()
    writeAll(stream, pieces, () => {
      taken += pieces.reduce((sum, { length }) => sum + length, 0)
      feed(mouthfuls, onTaken)
    })
  }
  return {
    get taken() {
      return taken
    },
    write: (lines, onTaken) => feed(inMouthfuls(lines.map(pick)), onTaken),
    end: () => stream.end(),
    destroy: () => stream.destroy(),
  }
}

/** One call of the system for all of them; what it cannot take is not taken. */
const writeAll = (stream: Writable, pieces: readonly Buffer[], onTaken: () => void): void => {
  const last = pieces.at(-1)
  const onWritten = (error: Error | null | undefined): void => (error == null ? onTaken() : undefined)
  stream.cork()
  for (const piece of pieces) stream.write(piece, piece === last ? onWritten : undefined)
  stream.uncork()
}

/** Cut where they have to be, and not copied. */
function* inMouthfuls(chunks: readonly Buffer[]): Generator<Buffer[], undefined> {
  let [pieces, room]: [Buffer[], number] = [[], mouthful]
  for (const chunk of chunks)
    for (let start = 0; start < chunk.length; ) {
      const piece = chunk.subarray(start, start + room)
      pieces.push(piece)
      start += piece.length
      room -= piece.length
      if (room > 0) continue
      yield pieces
      ;[pieces, room] = [[], mouthful]
    }
  if (pieces.length > 0) yield pieces
}
