import { LONGEST_READ } from './flatten.ts'
import { readLine, type ShellLine } from './line.ts'

/** Reads each line once as long as it keeps coming back; one that is very long, each time. */
export class LineCache {
  readonly #capacity: number
  #fresh = new Map<string, ShellLine>()
  #old = new Map<string, ShellLine>()

  constructor(capacity = 4096) {
    this.#capacity = capacity
  }

  read(source: string): ShellLine {
    if (source.length > LONGEST_READ) return readLine(source)
    const known = this.#fresh.get(source) ?? this.#old.get(source)
    const line = known ?? readLine(source)
    if (this.#fresh.size >= this.#capacity) {
      this.#old = this.#fresh
      this.#fresh = new Map()
    }
    this.#fresh.set(source, line)
    return line
  }
}
