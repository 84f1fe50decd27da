import { type Found, fromHistory } from './found.ts'
import { ByteLines, type HistoryReader } from './history-reader.ts'

/** `#1700000000`, written before each command where HISTTIMEFORMAT is set. */
const stamp = /^#(\d+)$/

/** `~/.bash_history`: a command a line; after a stamp, all lines up to the next stamp are one command. */
export class BashHistory implements HistoryReader {
  readonly #lines = new ByteLines()
  #at: number | null = null
  #command: string[] = []

  push(chunk: Buffer): Found[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line.toString('utf8')))
  }

  end(): Found[] {
    const last = this.#lines.end().flatMap((line) => this.#read(line.toString('utf8')))
    return [...last, ...this.#finish()]
  }

  #read(line: string): Found[] {
    const seconds = stamp.exec(line)?.[1]
    if (seconds !== undefined) {
      const before = this.#finish()
      this.#at = Number(seconds) * 1000
      return before
    }
    this.#command.push(line)
    return this.#at === null ? this.#finish() : []
  }

  #finish(): Found[] {
    const command = this.#command.join('\n').replace(/\n+$/, '')
    this.#command = []
    return command.trim() === '' ? [] : [fromHistory(command, this.#at)]
  }
}
