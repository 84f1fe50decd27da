import { cellWidth, pad, wrap } from '../../cells.ts'
import type { Line } from '../terminal/line.ts'
import { inline, wrapSpans } from './inline.ts'

const gap = '  '
/** Columns that would be narrower are not readable: then each row becomes a list. */
const narrowest = 8

/** A table of Markdown in so many cells: in columns where that is readable, else one line for each cell. */
export const tableLines = (rows: readonly string[], columns: number): Line[] => {
  const cells = rows.map((row) =>
    row
      .trim()
      .replaceAll(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
  const isHeaded = cells[1]?.every((cell) => /^:?-+:?$/.test(cell)) === true
  const body = cells
    .filter((_, index) => !(isHeaded && index === 1))
    .map((row) =>
      row.map((cell) =>
        inline(cell)
          .map(({ text }) => text)
          .join(''),
      ),
    )
  const natural: number[] = []
  for (const row of body)
    for (const [column, cell] of row.entries()) natural[column] = Math.max(natural[column] ?? 1, cellWidth(cell))
  const widths = shrunk(natural, columns)
  return widths === null
    ? asLists(body, isHeaded, columns)
    : body.flatMap((row, index): Line[] => {
        const wrapped = widths.map((width, column) => wrap(row[column] ?? '', width))
        const height = Math.max(1, ...wrapped.map((lines) => lines.length))
        const isHead = isHeaded && index === 0
        const lines = Array.from({ length: height }, (_, line): Line => {
          const text = widths.map((width, column) => pad(wrapped[column]?.[line] ?? '', width)).join(gap)
          return [{ text: text.trimEnd(), ...(isHead ? { tone: 'bold' as const } : {}) }]
        })
        const rule = widths.map((width) => '─'.repeat(width)).join(gap)
        return isHead ? [...lines, [{ text: rule, tone: 'dim' }]] : lines
      })
}

/** The widest give way first; null if even so there is no room for all. */
const shrunk = (widths: readonly number[], columns: number): number[] | null => {
  const room = columns - gap.length * (widths.length - 1)
  const sum = widths.reduce((total, width) => total + width, 0)
  if (sum <= room) return [...widths]
  const widest = Math.max(...widths)
  const next = Math.max(narrowest, ...widths.filter((width) => width < widest))
  const count = widths.filter((width) => width === widest).length
  const to = Math.max(next, Math.floor(widest - (sum - room) / count))
  if (to >= widest) return null
  return shrunk(
    widths.map((width) => Math.min(width, to)),
    columns,
  )
}

const asLists = (rows: string[][], isHeaded: boolean, columns: number): Line[] => {
  const names = isHeaded ? (rows[0] ?? []) : []
  return rows.slice(isHeaded ? 1 : 0).flatMap((row) => [
    ...row.flatMap((cell, column) => {
      const name = names[column] === undefined ? '' : `${names[column]}: `
      return wrapSpans([{ text: name, tone: 'bold' }, { text: cell }], columns, 2)
    }),
    [{ text: '─'.repeat(Math.min(columns, narrowest)), tone: 'dim' as const }],
  ])
}
