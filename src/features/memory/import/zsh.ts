import { type Found, fromHistory } from './found.ts'
import { ByteLines, type HistoryReader } from './history-reader.ts'

const [meta, flip, backslash, space] = [0x83, 0x20, 0x5c, 0x20]
/** `: 1700000000:12;command`, where EXTENDED_HISTORY is set: when it began, and for how many seconds it ran. */
const extended = /^: *(\d+):(\d+);/

/** `~/.zsh_history`: a command a line, with a backslash before each line break in it; some bytes are written in two. */
export class ZshHistory implements HistoryReader {
  readonly #lines = new ByteLines()
  #parts: Buffer[] = []

  push(chunk: Buffer): Found[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line))
  }

  end(): Found[] {
    const last = this.#lines.end().flatMap((line) => this.#read(line))
    return [...last, ...this.#finish()]
  }

  #read(line: Buffer): Found[] {
    if (line.at(-1) === backslash) {
      this.#parts.push(line.subarray(0, -1))
      return []
    }
    this.#parts.push(withoutGuard(line))
    return this.#finish()
  }

  #finish(): Found[] {
    const text = this.#parts.map((part) => unmetafied(part).toString('utf8')).join('\n')
    this.#parts = []
    const [head = '', at, seconds] = extended.exec(text) ?? []
    const command = text.slice(head.length).replace(/\n+$/, '')
    if (command.trim() === '') return []
    return [at === undefined ? fromHistory(command) : fromHistory(command, Number(at) * 1000, Number(seconds) * 1000)]
  }
}

/** A command that ends with a backslash has a blank behind it, so that it is not taken for a line break. */
const withoutGuard = (line: Buffer): Buffer => {
  const end = line.findLastIndex((byte) => byte !== space)
  return end !== line.length - 1 && line[end] === backslash ? line.subarray(0, -1) : line
}

/** zsh writes bytes that mean something to itself, among them parts of UTF-8 characters, as 0x83 and the byte with one bit flipped. */
const unmetafied = (line: Buffer): Buffer => {
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
