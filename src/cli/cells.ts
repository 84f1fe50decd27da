/** Characters that take two cells of a terminal, and those that take none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const none = /[\p{Mn}\p{Me}\p{Cf}]/u
const isPlain = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text)

const widthOf = (character: string): number => {
  if (character < '\u0300') return 1
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** How many cells a printable text takes. */
export const cellWidth = (text: string): number =>
  isPlain(text) ? text.length : Array.from(text).reduce((sum, character) => sum + widthOf(character), 0)

/** As many characters from the beginning as there is room for. */
const head = (text: string, columns: number): string => {
  let room = columns
  let end = 0
  for (const character of text) {
    room -= widthOf(character)
    if (room < 0) break
    end += character.length
  }
  return text.slice(0, end)
}

/** As many characters from the end; what does not fit begins with an ellipsis. */
export const fitEnd = (text: string, columns: number): string => {
  if (cellWidth(text) <= columns) return text
  let room = columns - 1
  let kept = ''
  for (const character of Array.from(text).toReversed()) {
    room -= widthOf(character)
    if (room < 0) break
    kept = character + kept
  }
  return columns < 1 ? '' : `…${kept}`
}

/** A text on one line in at most so many cells; what does not fit ends in an ellipsis. */
export const fit = (text: string, columns: number): string => {
  if (cellWidth(text) <= columns) return text
  return columns < 1 ? '' : `${head(text, columns - 1)}…`
}

/** In exactly so many cells. */
export const pad = (text: string, columns: number): string => {
  const fitted = fit(text, columns)
  return fitted + ' '.repeat(Math.max(0, columns - cellWidth(fitted)))
}

/** All of a text, in lines of at most so many cells, broken between words where that is possible. */
export const wrap = (text: string, columns: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(2, columns)))

const wrapLine = (line: string, columns: number): string[] => {
  const lines: string[] = []
  let rest = line
  for (let full = head(rest, columns); full.length < rest.length; full = head(rest, columns)) {
    const space = rest[full.length] === ' ' ? full.length : full.lastIndexOf(' ')
    const cut = space > full.length / 2 ? space : full.length
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return [...lines, rest]
}
