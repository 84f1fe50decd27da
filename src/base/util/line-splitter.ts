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
