/** Characters that take two cells of a terminal, and those that take none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const none = /[\p{Mn}\p{Me}\p{Cf}]/u
const widthOf = (character: string): number => {
  if (character < '\u0300') return 1
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** How many cells a printable text takes. */
export const cellWidth = (text: string): number =>
  /^[\u0020-\u007e]*$/.test(text)
    ? text.length
    : Array.from(text).reduce((sum, character) => sum + widthOf(character), 0)

/** Where as many characters from a place on end as there is room for. */
const head = (text: string, from: number, columns: number): number => {
  let room = columns
  let end = from
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    room -= widthOf(character)
    if (room < 0) break
    end += character.length
  }
  return end
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
  return columns < 1 ? '' : `${text.slice(0, head(text, 0, columns - 1))}…`
}

/** In exactly so many cells. */
export const pad = (text: string, columns: number): string => {
  const fitted = fit(text, columns)
  return fitted + ' '.repeat(Math.max(0, columns - cellWidth(fitted)))
}

/** A text on one line in pieces of at most so many cells, broken wherever that is. */
export const chop = (line: string, columns: number): string[] => {
  const pieces: string[] = []
  for (let from = 0; from < line.length || pieces.length === 0; from += pieces.at(-1)?.length ?? 0)
    pieces.push(line.slice(from, head(line, from, Math.max(2, columns))))
  return pieces
}

/** All of a text, in lines of at most so many cells, broken between words where that is possible. */
export const wrap = (text: string, columns: number): string[] =>
  text.split('\n').flatMap((line) => wrapAt(line, columns).map(([from, to]) => line.slice(from, to)))

/**
 * From where to where each line of a text on one line goes; the spaces at which it is broken are in none.
 * All but the first have so many cells less.
 */
export const wrapAt = (line: string, columns: number, indent = 0): [from: number, to: number][] => {
  let room = Math.max(2, columns)
  const lines: [number, number][] = []
  let from = 0
  for (let full = head(line, from, room); full < line.length; full = head(line, from, room)) {
    const space = line[full] === ' ' ? full : line.lastIndexOf(' ', full - 1)
    const to = space - from > (full - from) / 2 ? space : full
    lines.push([from, to])
    room = Math.max(2, columns - indent)
    from = to + line.slice(to).search(/\S|$/)
  }
  return [...lines, [from, line.length]]
}
