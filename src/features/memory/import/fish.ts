import { type Found, fromHistory } from './found.ts'
import { ByteLines, type HistoryReader } from './history-reader.ts'

/** `fish_history`: looks like YAML and is none. `- cmd: …` begins an entry, `  when: …` dates it, paths follow. */
export class FishHistory implements HistoryReader {
  readonly #lines = new ByteLines()
  #command: string | null = null
  #at: number | null = null

  push(chunk: Buffer): Found[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line.toString('utf8')))
  }

  end(): Found[] {
    const last = this.#lines.end().flatMap((line) => this.#read(line.toString('utf8')))
    return [...last, ...this.#finish()]
  }

  #read(line: string): Found[] {
    const command = /^- cmd: ?(.*)$/s.exec(line)?.[1]
    const when = /^ +when: *(\d+)$/.exec(line)?.[1]
    if (when !== undefined) this.#at = Number(when) * 1000
    if (command === undefined) return []
    const before = this.#finish()
    this.#command = unescaped(command)
    return before
  }

  #finish(): Found[] {
    const command = this.#command?.replace(/\n+$/, '') ?? ''
    const found = command.trim() === '' ? [] : [fromHistory(command, this.#at)]
    this.#command = null
    this.#at = null
    return found
  }
}

const unescaped = (text: string): string => text.replace(/\\([n\\])/g, (_, letter) => (letter === 'n' ? '\n' : '\\'))
