import { cellWidth, fit } from '../../cells.ts'
import { printable } from '../../format.ts'
import type { Style } from '../../output.ts'

export interface Span {
  text: string
  tone?: keyof Style
}
export type Line = Span[]

/** What joins and qualifies emoji: terminals do not agree on how wide the whole is. */
const inEmoji = /\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}]/gu

/** Text from elsewhere on one line, with nothing in it that steers a terminal or is drawn in different widths. */
export const oneLine = (text: string): string => safe(text).replaceAll(/\s+/g, ' ').trim()

/** The same with its line breaks. */
export const safe = (text: string): string => printable(text).replaceAll(inEmoji, '').replaceAll('\t', '  ')

/** A line in at most so many cells, with its colours. */
export const paint = (line: Line, columns: number, style: Style): string => {
  let room = columns
  const painted = line.map(({ text, tone }) => {
    const fitted = fit(text, room)
    room -= cellWidth(fitted)
    return tone === undefined || fitted === '' ? fitted : style[tone](fitted)
  })
  return painted.join('')
}
