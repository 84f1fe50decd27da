import { type Found, fromHistory, HistoryReader } from './history-reader.ts'

/** `~/.bash_history`: a command a line; after a time stamp, all lines up to the next stamp are one command. */
export class BashHistory extends HistoryReader {
  #at: number | null = null
  #command: string[] = []

  protected read(bytes: Buffer): Found[] {
    const line = bytes.toString('utf8')
    // `#1700000000`, written before each command where HISTTIMEFORMAT is set.
    const seconds = /^#(\d+)$/.exec(line)?.[1]
    if (seconds !== undefined) {
      const before = this.finish()
      this.#at = Number(seconds) * 1000
      return before
    }
    this.#command.push(line)
    return this.#at === null ? this.finish() : []
  }

  protected finish(): Found[] {
    const command = this.#command.join('\n').replace(/\n+$/, '')
    this.#command = []
    return command.trim() === '' ? [] : [fromHistory(command, this.#at)]
  }
}

/** `fish_history`: similar to YAML. `- cmd: …` begins an entry, `  when: …` dates it, paths follow. */
export class FishHistory extends HistoryReader {
  #command: string | null = null
  #at: number | null = null

  protected read(bytes: Buffer): Found[] {
    const line = bytes.toString('utf8')
    const command = /^- cmd: ?(.*)$/s.exec(line)?.[1]
    const when = /^ +when: *(\d+)$/.exec(line)?.[1]
    if (when !== undefined) this.#at = Number(when) * 1000
    if (command === undefined) return []
    const before = this.finish()
    this.#command = command.replace(/\\([n\\])/g, (_, letter) => (letter === 'n' ? '\n' : '\\'))
    return before
  }

  protected finish(): Found[] {
    const command = this.#command?.replace(/\n+$/, '') ?? ''
    const found = command.trim() === '' ? [] : [fromHistory(command, this.#at)]
    this.#command = null
    this.#at = null
    return found
  }
}

const [meta, flip, backslash, space] = [0x83, 0x20, 0x5c, 0x20]

/** `~/.zsh_history`: a command a line, with a backslash before each line break in it; some bytes are escaped. */
export class ZshHistory extends HistoryReader {
  #parts: Buffer[] = []

  protected read(line: Buffer): Found[] {
    if (line.at(-1) === backslash) {
      this.#parts.push(line.subarray(0, -1))
      return []
    }
    // zsh adds a blank to a command that ends with a backslash, to tell it from a line break.
    const end = line.findLastIndex((byte) => byte !== space)
    const isGuarded = end !== line.length - 1 && line[end] === backslash
    this.#parts.push(isGuarded ? line.subarray(0, -1) : line)
    return this.finish()
  }

  protected finish(): Found[] {
    const text = this.#parts.map((part) => unescapeMeta(part).toString('utf8')).join('\n')
    this.#parts = []
    // `: 1700000000:12;command`, where EXTENDED_HISTORY is set: its start and its duration in seconds.
    const [head = '', at, seconds] = /^: *(\d+):(\d+);/.exec(text) ?? []
    const command = text.slice(head.length).replace(/\n+$/, '')
    if (command.trim() === '') return []
    return [at === undefined ? fromHistory(command) : fromHistory(command, Number(at) * 1000, Number(seconds) * 1000)]
  }
}

/** zsh writes its own special bytes, among them parts of UTF-8 characters, as 0x83 and the byte with one bit flipped. */
const unescapeMeta = (line: Buffer): Buffer => {
  if (!line.includes(meta)) return line
  const plain: number[] = []
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at] ?? 0
    const next = line[at + 1]
    if (byte === meta && next !== undefined) {
      plain.push(next ^ flip)
      at += 1
    } else plain.push(byte)
  }
  return Buffer.from(plain)
}
