import { closeSync, fstatSync, openSync, readSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { LineSplitter } from '../../base/util/line-splitter.ts'

/** More than the last lines of a log ever need. */
const tailBytes = 4 * 1024 * 1024

/** How far a file was read: another file under the same name begins anew. */
interface Place {
  inode: number
  offset: number
}

export const lastLines = (file: string, count: number): { lines: string[]; end: Place } => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const start = Math.max(0, size - tailBytes)
  const { bytes, end } = readFrom(file, { inode: inodeOf(file), offset: start })
  const lines = bytes.toString().split('\n')
  // What follows the last line break is a line that is still being written.
  const partial = lines.pop() ?? ''
  const offset = end.offset - Buffer.byteLength(partial)
  return { lines: count === 0 ? [] : lines.slice(-count), end: { ...end, offset } }
}

/** Shows lines as they are written, also after the file was rotated; returns what ends it. */
export const followFile = (file: string, from: Place, show: (line: string) => void): (() => void) => {
  let place = from
  let splitter = new LineSplitter()
  const readOn = (): void => {
    const { bytes, end } = readFrom(file, place)
    if (end.inode !== place.inode) splitter = new LineSplitter()
    place = end
    splitter.push(bytes).forEach(show)
  }
  const watcher = watch(path.dirname(file), readOn)
  readOn()
  return () => watcher.close()
}

const inodeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.ino ?? 0

const readFrom = (file: string, place: Place): { bytes: Buffer; end: Place } => {
  const inode = inodeOf(file)
  if (inode === 0) return { bytes: Buffer.alloc(0), end: place }
  const descriptor = openSync(file, 'r')
  try {
    const { ino, size } = fstatSync(descriptor)
    const offset = ino === place.inode && place.offset <= size ? place.offset : 0
    const bytes = Buffer.alloc(size - offset)
    const read = readSync(descriptor, bytes, 0, bytes.length, offset)
    return { bytes: bytes.subarray(0, read), end: { inode: ino, offset: offset + read } }
  } finally {
    closeSync(descriptor)
  }
}
