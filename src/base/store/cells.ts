import type { Pages } from './pages.ts'
import type { SqlValue } from './sqlite.ts'

/** One row as it stands on a page: of a table, with its number, or an entry of an index. */
export interface Cell {
  page: number
  kind: 'table' | 'index'
  rowid: number
  values: SqlValue[]
}

/** A page, or one cell on it, that says what no database says. */
interface BadCell {
  page: number
  kind: 'bad'
}

type PageKind = 'table' | 'index' | 'inner index'
const kinds = new Map<number, PageKind>([
  [0x0d, 'table'],
  [0x0a, 'index'],
  [0x02, 'inner index'],
])

/** Every cell of every page, in the order of the file, whether or not a tree still leads to it. */
export function* readCells(pages: Pages): Generator<Cell | BadCell> {
  for (let number = 1; number <= pages.count; number += 1) {
    const page = pages.read(number)
    const start = number === 1 ? 100 : 0
    const kind = kinds.get(page?.[start] ?? 0)
    if (page === null || kind === undefined) continue
    const pointers = start + (kind === 'inner index' ? 12 : 8)
    const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - pointers) / 2))
    for (let index = 0; index < count; index += 1) {
      let cell: Omit<Cell, 'page'> | { kind: 'bad' }
      try {
        cell = readCell(pages, page, page.readUInt16BE(pointers + 2 * index), kind)
      } catch {
        cell = { kind: 'bad' }
      }
      yield { page: number, ...cell }
    }
  }
}

/** Throws where the page says what cannot be, or the cell ends behind it. */
const readCell = (pages: Pages, page: Buffer, at: number, kind: PageKind): Omit<Cell, 'page'> => {
  const reader = new Varints(page, kind === 'inner index' ? at + 4 : at)
  const length = reader.next()
  const rowid = kind === 'table' ? reader.next() : 0
  const payload = readPayload(pages, page, reader.at, length, kind === 'table')
  return { kind: kind === 'table' ? 'table' : 'index', rowid, values: readValues(payload) }
}

/** Longer than any record of ours: a length that was made up would fill the memory. */
const longestPayload = 256 * 1024 * 1024

/** What does not fit on the page goes on in a chain of other pages (the rules are SQLite's file format). */
const readPayload = (pages: Pages, page: Buffer, at: number, length: number, isTable: boolean): Buffer => {
  if (length > longestPayload || length > pages.count * pages.size) throw new RangeError('longer than the file')
  const most = isTable ? pages.size - 35 : Math.floor(((pages.size - 12) * 64) / 255) - 23
  if (length <= most) return slice(page, at, length)
  const least = Math.floor(((pages.size - 12) * 32) / 255) - 23
  const wanted = least + ((length - least) % (pages.size - 4))
  const local = wanted <= most ? wanted : least
  const parts = [slice(page, at, local)]
  let next = page.readUInt32BE(at + local)
  for (let left = length - local; left > 0; left -= pages.size - 4) {
    const more = next === 0 ? null : pages.read(next)
    if (more === null) throw new RangeError('its chain of pages ends too soon')
    parts.push(slice(more, 4, Math.min(left, pages.size - 4)))
    next = more.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

const slice = (page: Buffer, at: number, length: number): Buffer => {
  if (at + length > page.length) throw new RangeError('behind the end of its page')
  return page.subarray(at, at + length)
}

const readValues = (payload: Buffer): SqlValue[] => {
  const header = new Varints(payload, 0)
  const end = header.next()
  const types: number[] = []
  while (header.at < end) types.push(header.next())
  let at = end
  return types.map((type) => {
    const length = lengthOf(type)
    const value = readValue(slice(payload, at, length), type)
    at += length
    return value
  })
}

const fixedLengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

const lengthOf = (type: number): number => {
  if (type >= 12) return (type - (type % 2 === 0 ? 12 : 13)) / 2
  const length = fixedLengths[type]
  if (length === undefined) throw new RangeError('no type of SQLite')
  return length
}

const readValue = (bytes: Buffer, type: number): SqlValue => {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 6) return Number(bytes.readBigInt64BE(0))
  if (type < 6) return bytes.readIntBE(0, bytes.length)
  return bytes.toString('utf8')
}

/** SQLite's integers of one to nine bytes. */
class Varints {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  next(): number {
    let value = 0
    for (let count = 1; count <= 9; count += 1) {
      const byte = this.#bytes.readUInt8(this.at++)
      if (count === 9) return value * 256 + byte
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    return value
  }
}
