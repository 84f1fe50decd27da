import type { Line } from './line.ts'

/** Where the sight ends: so many rows above the end of this item. */
export interface Place {
  n: number
  below: number
}

/** One row of an item: whose it is, and how many rows of the same item follow. */
export interface Row extends Place {
  line: Line
}

/** Numbered items, one below the other; rows are made of those alone that are asked for. */
export interface Scroll<R extends Row = Row> {
  count: number
  /** Of the last item whose number is at most this one. */
  indexOf(n: number): number
  rows(index: number): R[]
}

/** The visible rows, from top to bottom; without a place the newest. */
export const rowsInSight = <R extends Row>(scroll: Scroll<R>, bottom: Place | null, rows: number): R[] =>
  take(rowsAbove(scroll, bottom), rows).toReversed()

/** So many rows up, but no further than the first; whether that is reached is told, too. */
export const lookUp = (
  scroll: Scroll,
  bottom: Place | null,
  step: number,
  rows: number,
): { bottom: Place | null; isTop: boolean } => {
  const found = take(rowsAbove(scroll, bottom), step + rows)
  const isTop = found.length <= step + rows - 1
  const row = found[Math.max(0, Math.min(step, found.length - rows))]
  if (row === undefined || row === found[0]) return { bottom, isTop }
  return { bottom: { n: row.n, below: row.below }, isTop }
}

/** So many rows down; beyond the last one it is the newest that are shown. */
export const lookDown = (scroll: Scroll, bottom: Place | null, step: number): Place | null =>
  bottom === null ? null : placeAfter(rowsBelow(scroll, bottom), step)

export const lookTop = (scroll: Scroll, rows: number): Place | null => placeAfter(rowsFrom(scroll, 0), rows)

const placeAfter = (rows: Iterable<Row>, step: number): Place | null => {
  const found = take(rows, step)
  const row = found.at(-1)
  return row === undefined || found.length < step ? null : { n: row.n, below: row.below }
}

const take = <R>(rows: Iterable<R>, count: number): R[] => {
  const found: R[] = []
  if (count > 0) for (const row of rows) if (found.push(row) === count) break
  return found
}

function* rowsAbove<R extends Row>(scroll: Scroll<R>, from: Place | null): Generator<R> {
  const last = from === null ? scroll.count - 1 : scroll.indexOf(from.n)
  for (let index = last; index >= 0; index -= 1) {
    const rows = scroll.rows(index)
    const isPartly = from !== null && rows[0]?.n === from.n
    yield* (isPartly ? rows.filter(({ below }) => below >= from.below) : rows).toReversed()
  }
}

function* rowsBelow<R extends Row>(scroll: Scroll<R>, from: Place): Generator<R> {
  const index = scroll.indexOf(from.n)
  const rows = index < 0 ? [] : scroll.rows(index)
  yield* rows[0]?.n === from.n ? rows.filter(({ below }) => below < from.below) : []
  yield* rowsFrom(scroll, index + 1)
}

function* rowsFrom<R extends Row>(scroll: Scroll<R>, first: number): Generator<R> {
  for (let index = first; index < scroll.count; index += 1) yield* scroll.rows(index)
}
