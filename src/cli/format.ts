import { readDuration, readSize } from '../base/util/units.ts'
import { cutShown, escapeUnsafe } from '../base/util/visible.ts'
import { projectName } from '../contract/handle.ts'
import { cellWidth, fit, pad } from './cells.ts'

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `90s`, `10m`, `2h`, `1d` in milliseconds. */
export const parseDuration = (text: string): number => {
  const ms = readDuration(text)
  if (ms !== null && ms > 0) return ms
  throw new SyntaxError('a duration is a number and a unit, like 90s, 10m, 2h or 1d')
}

/** `64KiB`, `4GiB`, or a number of bytes. */
export const parseSize = (text: string): number => {
  const bytes = readSize(/^\d+$/.test(text) ? `${text}B` : text)
  if (bytes !== null) return bytes
  throw new SyntaxError('a size is a number and a unit, like 64KiB or 4GiB, or a number of bytes')
}

/** A number of seconds, or a duration with its unit. */
export const parseSeconds = (text: string): number => parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text)

/** `2h` ago, or a date and time; without a zone it is local. */
export const parseMoment = (text: string, now: number): number => {
  if (readDuration(text) !== null) return Math.max(0, now - parseDuration(text))
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`).getTime() : new Date(text).getTime()
  if (/^\d{4}-/.test(text) && at >= 0) return at
  throw new SyntaxError('a time is a duration before now, like 2h, or a date like 2026-01-31 or 2026-01-31T09:30')
}

export const parseCount = (text: string): number => {
  const count = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= 0) return count
  throw new SyntaxError('a whole number is needed')
}

export const parseAtLeastOne = (text: string): number => {
  const count = parseCount(text)
  if (count > 0) return count
  throw new SyntaxError('at least 1 is needed')
}

/** From 1 to so many: as many as the daemon takes. */
export const parseUpTo =
  (most: number) =>
  (text: string): number => {
    const count = parseAtLeastOne(text)
    if (count <= most) return count
    throw new SyntaxError(`at most ${most} is possible`)
  }

/** How long ago, in the largest unit that fits. */
export const formatAge = (at: number, now: number): string => {
  const age = Math.max(0, now - at)
  const [unit, ms] = Object.entries(unitsMs).findLast(([, size]) => age >= size) ?? ['s', unitsMs.s]
  return `${Math.floor(age / ms)}${unit}`
}

/** How long something took: `230 ms`, `2.3 s`, `3m 12s`, `1h 05m`. */
export const formatTook = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < unitsMs.m) return `${(ms / 1000).toFixed(1)} s`
  const [minutes, seconds] = [Math.floor(ms / unitsMs.m), Math.floor((ms % unitsMs.m) / 1000)]
  return minutes < 60
    ? `${minutes}m ${twoDigits(seconds)}s`
    : `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`
}

/** An amount without the noise of binary fractions. */
export const formatUsd = (usd: number): string => `${Number(usd.toPrecision(6))} USD`

/** A part of a whole: `8.8 %`; what is not known is a dash. */
export const formatShare = (share: number | null): string => (share === null ? '-' : `${(share * 100).toFixed(1)} %`)

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Local date and time, without the date if it is today. */
export const formatTime = (at: number, now: number): string =>
  withDay(at, now, `${formatClock(at)}:${twoDigits(new Date(at).getSeconds())}`)

/** The same without seconds. */
export const formatMinute = (at: number, now: number): string => withDay(at, now, formatClock(at))

export const formatClock = (at: number): string => {
  const time = new Date(at)
  return [time.getHours(), time.getMinutes()].map(twoDigits).join(':')
}

export const formatDay = (at: number): string => {
  const time = new Date(at)
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-')
}

const withDay = (at: number, now: number, time: string): string =>
  formatDay(at) === formatDay(now) ? time : `${formatDay(at)} ${time}`

/** Untrusted text must not steer the terminal or hide anything: invisible characters are shown. */
export const printable = (text: string): string => escapeUnsafe(text.replaceAll('\r', ''))

/** A text of several lines, of which none but the first can pass for one of ours. */
export const indented = (text: string): string => printable(text).replaceAll('\n', '\n    ')

/** The beginning of a text on one line. */
export const shorten = (text: string, limit: number): string => {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  return Array.from(line).length <= limit ? line : `${cutShown(line, limit - 1)}…`
}

/** `1 message`, `2 messages`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

type Part = string | false | readonly string[]

/** The lines that are there: a part that is false is left out. */
export const collectLines = (...parts: readonly Part[]): string[] => parts.flat().filter((line) => line !== false)

export const joinLines = (...parts: readonly Part[]): string => collectLines(...parts).join('\n')

const byteUnits = ['KiB', 'MiB', 'GiB', 'TiB']

/** `512 bytes`, `1.5 MiB`. */
export const formatBytes = (bytes: number): string => {
  const steps = Math.min(byteUnits.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const unit = byteUnits[steps - 1]
  return unit === undefined ? counted(bytes, 'byte') : `${(bytes / 1024 ** steps).toFixed(1)} ${unit}`
}

interface TableOptions {
  /** The width of the terminal. Without one nothing is cut, so that a pipe gets everything. */
  columns?: number | undefined
  /** Colours a cell that is padded already. */
  paint?: (cell: string, column: number, row: number) => string
}

/** Columns of equal width, two spaces apart. Optional ones are left out of a terminal that is too narrow, in this order. */
export const formatTable = (
  header: string[],
  rows: string[][],
  { columns, paint, optional = [] }: TableOptions & { optional?: readonly string[] } = {},
): string => {
  const all = [header, ...rows]
  const left = columns === undefined ? [] : chooseLeftOut(all, optional, columns)
  const shown = [...header.keys()].filter((column) => !left.includes(column))
  return alignColumns(
    all.map((row) => shown.map((column) => row[column] ?? '')),
    {
      columns,
      paint: (cell, column, row) =>
        row === 0 || paint === undefined ? cell : paint(cell, shown[column] ?? column, row - 1),
    },
  ).join('\n')
}

/** So wide the widest column should stay. */
const readable = 20

const chooseLeftOut = (rows: readonly string[][], optional: readonly string[], columns: number): number[] => {
  const widths = measureColumns(rows)
  const left: number[] = []
  const isTooNarrow = (): boolean => {
    const kept = widths.filter((_, column) => !left.includes(column))
    return tableWidth(kept) - Math.max(0, Math.max(...kept) - readable) > columns
  }
  for (const name of optional) {
    if (!isTooNarrow()) break
    left.push(rows[0]?.indexOf(name) ?? -1)
  }
  return left
}

const measureColumns = (rows: readonly string[][]): number[] => {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cellWidth(cell))
  return widths
}

/** Rows without a header. */
export const alignColumns = (
  rows: readonly string[][],
  { columns, paint = (cell) => cell }: TableOptions = {},
): string[] => {
  const widths = measureColumns(rows)
  const fitted = columns === undefined ? widths : fitWidths(widths, columns)
  const cells = rows.map((row) =>
    row.map((cell, column) => {
      const width = fitted[column] ?? 0
      return column === row.length - 1 ? fit(cell, width) : pad(cell, width)
    }),
  )
  if (columns !== undefined && tableWidth(fitted) > columns)
    return cells.map((row) => fit(row.join(gap).trimEnd(), columns))
  return cells.map((row, index) =>
    row
      .map((cell, column) => paint(cell, column, index))
      .join(gap)
      .trimEnd(),
  )
}

const gap = '  '
/** Narrower than this, a cell says nothing. */
const narrowest = 3

/** Takes cells from the widest column until the table fits: long texts and paths give way to short words. */
const fitWidths = (widths: readonly number[], columns: number): number[] => {
  const fitted = [...widths]
  for (let excess = tableWidth(widths) - columns; excess > 0; ) {
    const widest = Math.max(...fitted)
    if (widest <= narrowest) break
    const next = Math.max(narrowest, ...fitted.filter((width) => width < widest))
    const column = fitted.lastIndexOf(widest)
    const cut = Math.max(1, Math.min(excess, widest - next))
    fitted[column] = widest - cut
    excess -= cut
  }
  return fitted
}

const tableWidth = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width + gap.length, -gap.length)

/** Projects by their readable name; those that share one also by the digits that tell them apart. */
export const nameProjects = (projects: readonly string[]): ((project: string) => string) => {
  const known = new Set(projects)
  const names = [...known].map(projectName)
  return (project) => {
    const name = projectName(project)
    return printable(names.filter((other) => other === name).length > 1 ? project : name)
  }
}
