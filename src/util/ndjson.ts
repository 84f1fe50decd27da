import { StringDecoder } from 'node:string_decoder'

/** Feeds chunks in, gets whole lines out; a character or line split between chunks stays intact. */
export class LineSplitter {
  #decoder = new StringDecoder('utf8')
  #parts: string[] = []

  push(chunk: Buffer): string[] {
    const pieces = this.#decoder.write(chunk).split('\n')
    const last = pieces.pop() ?? ''
    if (pieces.length === 0) {
      this.#parts.push(last)
      return []
    }
    pieces[0] = this.#parts.join('') + (pieces[0] ?? '')
    this.#parts = [last]
    return pieces
  }
}

/** A line that is not a JSON object is `null`: the caller decides what that means. */
export const parseObject = (line: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The value if it is text. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
