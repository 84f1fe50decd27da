/** The part of a terminal that is written to. */
interface Paper {
  write(text: string): unknown
}

/** The position of the text cursor, from 0 on. */
export interface Caret {
  row: number
  column: number
}

const escape = '\u001b['
const hidden = `${escape}?25l`
/** Another screen, no cursor, no wrapping of a line that is wider than was thought, pasted text marked as such. */
const begin = `${escape}?1049h${hidden}${escape}?7l${escape}?2004h${escape}2J`
const end = `${escape}?2004l${escape}?7h${escape}?25h${escape}?1049l`

/**
 * What turns the lines that are there into the new ones: only lines that differ are written. A row is erased first:
 * after a line of full width the cursor still stands on its last character.
 */
export const repaint = (before: readonly string[], lines: readonly string[]): string => {
  const changed = lines.flatMap((line, row) =>
    line === before[row] ? [] : [`${escape}${row + 1};1H${escape}K${line}`],
  )
  const surplus = before.length > lines.length ? [`${escape}${lines.length + 1};1H${escape}J`] : []
  return [...changed, ...surplus].join('')
}

/** A screen of our own over what the terminal shows, which comes back when it is closed. */
export class Screen {
  readonly #paper: Paper
  #lines: readonly string[] = []
  #caret = ''
  #isOpen = false

  constructor(paper: Paper) {
    this.#paper = paper
  }

  open(): void {
    this.#isOpen = true
    this.clear()
  }

  /** After a change of size nothing can be said about what is there. */
  clear(): void {
    if (!this.#isOpen) return
    this.#lines = []
    this.#caret = ''
    this.#paper.write(begin)
  }

  /** Without a caret the cursor is hidden. */
  draw(lines: readonly string[], caret?: Caret): void {
    if (!this.#isOpen) return
    const text = repaint(this.#lines, lines)
    const placed = caret === undefined ? '' : `${escape}${caret.row + 1};${caret.column + 1}H${escape}?25h`
    if (text === '' && placed === this.#caret) return
    this.#paper.write(`${this.#caret === '' ? '' : hidden}${text}${placed}`)
    this.#lines = lines
    this.#caret = placed
  }

  /** The terminal says when it has drawn all of this: the key `drawn`. */
  ask(): void {
    if (this.#isOpen) this.#paper.write(`${escape}5n`)
  }

  ring(): void {
    if (this.#isOpen) this.#paper.write('\u0007')
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#paper.write(end)
  }
}
