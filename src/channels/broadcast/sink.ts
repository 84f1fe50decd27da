import type { Writable } from 'node:stream'
import type { Line } from './lines.ts'

/** Where the lines for one subscriber go. */
export interface Sink {
  /** Takes them all, and says when they are out of our hands: nothing more comes before. */
  write(lines: readonly Line[], onTaken: () => void): void
  /** Nothing is on its way, and nothing more comes. */
  end(): void
  /** What is on its way is not worth waiting for. */
  destroy(): void
}

export const sinkOf = (stream: Writable, pick: (line: Line) => Buffer): Sink => ({
  write: (lines, onTaken) => {
    const last = lines.at(-1)
    // One call of the system for all of them.
    stream.cork()
    for (const line of lines) stream.write(pick(line), line === last ? onTaken : undefined)
    stream.uncork()
  },
  end: () => stream.end(),
  destroy: () => stream.destroy(),
})
