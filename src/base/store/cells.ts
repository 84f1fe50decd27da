import type { Pages } from './pages.ts'
import type { SqlValue } from './sqlite.ts'

/** One row of a page: of a table, with its number, or an entry of an index. */
export interface Cell {
  page: number
  kind: 'table' | 'index'
  rowid: number
  values: SqlValue[]
}

/** A page, or one cell on it, that is not valid. */
interface BadCell {
  page: number
  kind: 'bad'
}

const kinds = { 0x0d: 'table', 0x0a: 'index', 0x02: 'inner index' } as const
type PageKind = (typeof kinds)[keyof typeof kinds]

/** Every cell of every page, in the order of the file, whether or not a tree still leads to it. */
export function* readCells(pages: Pages): Generator<Cell | BadCell> {
  for (let number = 1; number <= pages.count; number += 1) {
    const page = pages.read(number)
    const start = number === 1 ? 100 : 0
    const kind: PageKind | undefined = kinds[(page?.[start] ?? 0) as keyof typeof kinds]
    if (page === null || kind === undefined) continue
    const pointers = start + (kind === 'inner index' ? 12 : 8)
    const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - pointers) / 2))
    for (let index = 0; index < count; index += 1) yield readCell(pages, number, page, pointers + 2 * index, kind)
  }
}

/** A cell that reaches past the end of its page, or makes no sense, is a bad one. */
const readCell = (pages: Pages, number: number, page: Buffer, pointer: number, kind: PageKind): Cell | BadCell => {
  try {
    const at = page.readUInt16BE(pointer)
    const reader = new Varints(page, kind === 'inner index' ? at + 4 : at)
    const length = reader.next()
    const rowid = kind === 'table' ? reader.next() : 0
    const payload = readPayload(pages, page, reader.at, length, kind === 'table')
    return { page: number, kind: kind === 'table' ? 'table' : 'index', rowid, values: readValues(payload) }
  } catch {
    return { page: number, kind: 'bad' }
  }
}

/** Longer than any record of Rein: a random length would fill the memory. */
const longestPayload = 256 * 1024 * 1024

/** A payload that does not fit on the page continues in a chain of other pages (SQLite's file format). */
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
    const length = type < 12 ? fixedLengths[type] : (type - (type % 2 === 0 ? 12 : 13)) / 2
    if (length === undefined) throw new RangeError('no type of SQLite')
    const value = readValue(slice(payload, at, length), type)
    at += length
    return value
  })
}

const fixedLengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

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
