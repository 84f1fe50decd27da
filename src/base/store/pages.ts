import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

/** `absent`: no file or an empty one; `damaged`: something was committed to it that cannot be read. */
type WalState = 'absent' | 'read' | 'damaged'

/** The pages of a database as they were last committed, read without SQLite: also of a file that SQLite refuses. */
export interface Pages {
  readonly size: number
  readonly count: number
  readonly wal: WalState
  /** Null behind the end of the file. */
  read(number: number): Buffer | null
  close(): void
}

const magic = 'SQLite format 3\0'
const usualSize = 4096
const frameHeader = 24
const walHeader = 32

export const openPages = (path: string): Pages => {
  const fd = existsSync(path) ? openSync(path, 'r') : null
  const bytes = fd === null ? 0 : fstatSync(fd).size
  const wal = readWal(`${path}-wal`)
  const size = pageSize(fd) ?? wal.pageSize ?? usualSize
  const read = (number: number): Buffer | null => {
    const newer = wal.frames.get(number)
    if (newer !== undefined && wal.pageSize === size) return newer
    if (number < 1) return null
    const page = Buffer.alloc(size)
    const got = fd === null ? 0 : readSync(fd, page, 0, size, (number - 1) * size)
    return got === size ? page : null
  }
  return {
    size,
    count: Math.max(Math.ceil(bytes / size), ...wal.frames.keys()),
    wal: wal.state,
    read,
    close: () => void (fd !== null && closeSync(fd)),
  }
}

/** Pages of zeros that are not free, so they have lost their content. */
export const emptiedPages = (pages: Pages): number[] => {
  // Follows the chain of free pages as far as it goes.
  const free = new Set<number>()
  let next = pages.read(1)?.readUInt32BE(32) ?? 0
  for (let trunk = pages.read(next); next !== 0 && trunk !== null && !free.has(next); trunk = pages.read(next)) {
    free.add(next)
    const count = Math.min(trunk.readUInt32BE(4), pages.size / 4 - 2)
    for (let index = 0; index < count; index += 1) free.add(trunk.readUInt32BE(8 + 4 * index))
    next = trunk.readUInt32BE(0)
  }
  const numbers = Array.from({ length: pages.count }, (_, index) => index + 1)
  return numbers.filter((number) => !free.has(number) && (pages.read(number)?.every((byte) => byte === 0) ?? true))
}

/** Whether a file begins as a database does. */
export const hasHeader = (path: string): boolean => {
  const fd = openSync(path, 'r')
  try {
    const start = Buffer.alloc(magic.length)
    readSync(fd, start, 0, start.length, 0)
    return start.toString('latin1') === magic
  } finally {
    closeSync(fd)
  }
}

const pageSize = (fd: number | null): number | null => {
  const header = Buffer.alloc(18)
  if (fd === null || readSync(fd, header, 0, header.length, 0) < header.length) return null
  const stated = header.readUInt16BE(16)
  return sizeOrNull(stated === 1 ? 65_536 : stated)
}

const sizeOrNull = (size: number): number | null =>
  size >= 512 && size <= 65_536 && (size & (size - 1)) === 0 ? size : null

interface Wal {
  state: WalState
  pageSize: number | null
  frames: Map<number, Buffer>
}

/** Reads frames up to the last commit whose checksum chain holds, as SQLite does. */
const readWal = (path: string): Wal => {
  const none: Wal = { state: 'absent', pageSize: null, frames: new Map() }
  const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  if (file.length === 0) return none
  const size = file.length < walHeader ? null : sizeOrNull(file.readUInt32BE(8))
  const isMagic = file.length >= walHeader && (file.readUInt32BE(0) & ~1) === 0x377f0682
  if (size === null || !isMagic) return { ...none, state: 'damaged' }
  const sum = checksums((file.readUInt32BE(0) & 1) === 1)
  let chain = sum(file, 0, 24, [0, 0])
  if (!isSum(file, 24, chain)) return { ...none, state: 'damaged' }
  const frames = new Map<number, Buffer>()
  let open = new Map<number, Buffer>()
  for (let at = walHeader; at + frameHeader + size <= file.length; at += frameHeader + size) {
    // Frames of an earlier round of the file have other salts.
    if (!file.subarray(at + 8, at + 16).equals(file.subarray(16, 24))) break
    const data = at + frameHeader
    chain = sum(file, data, data + size, sum(file, at, at + 8, chain))
    if (!isSum(file, at + 16, chain))
      return { state: hasCommit(file, at, size) ? 'damaged' : 'read', pageSize: size, frames }
    open.set(file.readUInt32BE(at), file.subarray(data, data + size))
    if (file.readUInt32BE(at + 4) === 0) continue
    for (const [number, page] of open) frames.set(number, page)
    open = new Map()
  }
  return { state: 'read', pageSize: size, frames }
}

/** Whether something was committed from here on: a write that was cut off has no commit frame. */
const hasCommit = (file: Buffer, from: number, size: number): boolean => {
  for (let at = from; at + frameHeader + size <= file.length; at += frameHeader + size)
    if (file.subarray(at + 8, at + 16).equals(file.subarray(16, 24)) && file.readUInt32BE(at + 4) !== 0) return true
  return false
}

/** The state of the write-ahead log of a database. */
export const walState = (path: string): WalState => readWal(`${path}-wal`).state

type Sum = readonly [number, number]

const isSum = (file: Buffer, at: number, [a, b]: Sum): boolean =>
  file.readUInt32BE(at) === a && file.readUInt32BE(at + 4) === b

const checksums =
  (isBigEndian: boolean) =>
  (file: Buffer, from: number, end: number, [first, second]: Sum): Sum => {
    let [a, b] = [first, second]
    for (let at = from; at < end; at += 8) {
      a = (a + (isBigEndian ? file.readUInt32BE(at) : file.readUInt32LE(at)) + b) >>> 0
      b = (b + (isBigEndian ? file.readUInt32BE(at + 4) : file.readUInt32LE(at + 4)) + a) >>> 0
    }
    return [a, b]
  }
