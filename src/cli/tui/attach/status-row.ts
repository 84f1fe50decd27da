import type { Size } from '../../../contract/keeper.ts'

const escape = '\u001b'
/** One control sequence (group 1: its final with what precedes it), another escape, or a run of anything else. */
const pieces =
  /\u001b\[([\u0020-\u003f]*[\u0040-\u007e])|\u001b[\]PX^_][^]*?(?:\u0007|\u001b\\)|\u001b[^[\]PX^_]|[^\u001b]+|\u001b/g
/** Sequences after which the rows that scroll are all rows again, or another screen with its own is shown. */
const undoes = /^(?:\?(?:47|1047|1049)[hl]|!p)$/
/** Takes back the limit of scrolling; a program with a limit of its own names its last row. */
const unlimited = /^[01]?;?0?r$/
const incompleteEscape = /\u001b(?:\[[\u0020-\u003f]*|[\]PX^_](?:(?!\u001b\\|\u0007)[^])*)?$/
/** A sequence that goes on for longer is passed on as it comes. */
const longestSequence = 1_000_000

/** The last row of a terminal, kept from a program that believes its terminal ends above it. */
export class StatusRow {
  readonly #text: (columns: number) => string
  #size: Size
  /** The beginning of a sequence or a character whose rest has not come yet. */
  #begun = ''
  /** A cursor that the program has saved must not be replaced by ours. */
  #isSaved = false

  /** `text`: what stands there in a row so wide. */
  constructor(size: Size, text: (columns: number) => string) {
    this.#size = size
    this.#text = text
  }

  /** What the program is told of the size. */
  get room(): Size {
    return { ...this.#size, rows: Math.max(1, this.#size.rows - 1) }
  }

  /** The program's output with the row drawn again after it. */
  pass(output: Buffer): Buffer {
    const text = this.#begun + output.toString('latin1')
    const begun = incompleteEscape.exec(text)?.[0] ?? incompleteCharacter(text)
    this.#begun = begun.length > longestSequence ? '' : begun
    let passed = ''
    for (const [all, sequence] of text.slice(0, text.length - this.#begun.length).matchAll(pieces)) {
      if (all === `${escape}7` || sequence === 's') this.#isSaved = true
      if (all === `${escape}8` || sequence === 'u') this.#isSaved = false
      passed += sequence !== undefined && unlimited.test(sequence) ? this.#limit : all
      if (all === `${escape}c` || (sequence !== undefined && undoes.test(sequence))) passed += this.#aside(this.#limit)
    }
    return Buffer.from(passed + this.draw(), 'latin1')
  }

  /** After a change of size, and at first. */
  resize(size: Size): string {
    this.#size = size
    return this.#aside(this.#limit) + this.draw()
  }

  draw(): string {
    if (this.#isSaved || this.#begun !== '' || this.#size.rows < 2) return ''
    const text = Buffer.from(this.#text(this.#size.columns)).toString('latin1')
    return this.#aside(`${escape}[${this.#size.rows};1H${escape}[0;7m${text}${escape}[0m`)
  }

  /** The row as empty as it was. */
  clear(): string {
    return this.#aside(`${escape}[r${escape}[${this.#size.rows};1H${escape}[0m${escape}[K`)
  }

  get #limit(): string {
    return `${escape}[1;${this.room.rows}r`
  }

  #aside(drawing: string): string {
    return this.#isSaved ? '' : `${escape}7${drawing}${escape}8`
  }
}

/** The bytes of a character in UTF-8 that is not complete. */
const incompleteCharacter = (text: string): string => {
  const [begun = ''] = /[\u00c0-\u00ff][\u0080-\u00bf]*$/.exec(text) ?? []
  const first = begun.charCodeAt(0)
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  return begun !== '' && begun.length < length ? begun : ''
}
