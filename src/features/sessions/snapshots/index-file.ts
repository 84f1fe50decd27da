import type { Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PathText, parentsOf, pathText } from './path-text.ts'

/** One path of a git index, with what `lstat` said of its file when git last looked. */
export interface IndexEntry {
  /** Times, device, inode, mode, owner and size, as they stand in the file. */
  stat: Buffer
  id: string
  name: Buffer
}

/** How many entries are read before the event loop gets a turn. */
const atOnce = 2048
const headBytes = 12
const statBytes = 40
const [changedAt, modifiedAt, modeAt, sizeAt] = [0, 8, 24, 36]
const kindMask = 0o170000
const heldKinds = [0o100000, 0o120000]
const flag = { extended: 0x4000, stage: 0x3000, nameLength: 0xfff }
const extendedFlag = { skipWorktree: 0x4000, intentToAdd: 0x2000 }

/** Git may compare whole seconds, and a file can change within the second in which it was read. */
const doubtSeconds = 2

/** Zeroes the change time of entries that changed about when this index was written, so that git reads their files again. */
export const withDoubts = (entries: readonly IndexEntry[], writtenAtMs: number): IndexEntry[] => {
  const since = Math.floor(writtenAtMs / 1000) - doubtSeconds
  return entries.map((entry) => {
    const { stat } = entry
    if (Math.max(stat.readUInt32BE(changedAt), stat.readUInt32BE(modifiedAt)) < since) return entry
    return { ...entry, stat: Buffer.concat([Buffer.alloc(modifiedAt), stat.subarray(modifiedAt)]) }
  })
}

export const sizeOf = ({ stat }: IndexEntry): number => stat.readUInt32BE(sizeAt)

/** The directories of these paths, which are sorted. */
export const dirsOf = (entries: readonly IndexEntry[]): Set<PathText> => {
  const found = new Set<PathText>()
  let before: Buffer = Buffer.alloc(0)
  for (const { name } of entries) {
    const dir = name.subarray(0, name.lastIndexOf('/') + 1)
    if (!dir.equals(before)) for (const one of parentsOf(pathText(dir))) found.add(one)
    before = dir
  }
  return found
}

/**
 * The entries of an index that stand for a file or a link of the work tree; null if the file is of a kind that only git
 * can read. Entries without a file (sparse, in conflict, only announced) and other repositories are left out.
 */
export const readIndex = async (data: Buffer, idBytes: number): Promise<IndexEntry[] | null> => {
  const version = data.length < headBytes + idBytes ? 0 : data.readUInt32BE(4)
  if (data.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null
  const entries: IndexEntry[] = []
  let at = headBytes
  let before: Buffer = Buffer.alloc(0)
  for (let left = data.readUInt32BE(8); left > 0; left -= 1) {
    const { entry, isHeld, next } = readEntry(data, at, { idBytes, version, before })
    if (isHeld) entries.push(entry)
    at = next
    before = entry.name
    if (left % atOnce === 0) await nextTurn()
  }
  return isSelfContained(data.subarray(at, data.length - idBytes)) ? entries : null
}

const readEntry = (
  data: Buffer,
  at: number,
  { idBytes, version, before }: { idBytes: number; version: number; before: Buffer },
): { entry: IndexEntry; isHeld: boolean; next: number } => {
  const flagsAt = at + statBytes + idBytes
  const flags = data.readUInt16BE(flagsAt)
  const isExtended = version > 2 && (flags & flag.extended) !== 0
  const more = isExtended ? data.readUInt16BE(flagsAt + 2) : 0
  const nameAt = flagsAt + (isExtended ? 4 : 2)
  const { name, end } = version === 4 ? readPrefixedName(data, nameAt, before) : readName(data, nameAt)
  const stat = data.subarray(at, at + statBytes)
  const isAside = (flags & flag.stage) !== 0 || (more & (extendedFlag.skipWorktree | extendedFlag.intentToAdd)) !== 0
  return {
    entry: { stat, id: data.toString('hex', at + statBytes, flagsAt), name },
    isHeld: !isAside && heldKinds.includes(stat.readUInt32BE(modeAt) & kindMask),
    next: version === 4 ? end + 1 : at + padded(end - at),
  }
}

const readName = (data: Buffer, at: number): { name: Buffer; end: number } => {
  const end = data.indexOf(0, at)
  return { name: data.subarray(at, end), end }
}

/** Version 4 stores how much to cut off the previous name, and what to append. */
const readPrefixedName = (data: Buffer, at: number, before: Buffer): { name: Buffer; end: number } => {
  let [cut, next] = [(data[at] ?? 0) & 0x7f, at]
  while (((data[next] ?? 0) & 0x80) !== 0) {
    next += 1
    cut = (cut + 1) * 0x80 + ((data[next] ?? 0) & 0x7f)
  }
  const { name, end } = readName(data, next + 1)
  return { name: Buffer.concat([before.subarray(0, before.length - cut), name]), end }
}

/** Entries end with one to eight zeros, at a multiple of eight. */
const padded = (length: number): number => (length + 8) & ~7

/** A reader must understand extensions with a lower-case name: entries are elsewhere (split), or stand for directories (sparse). */
const isSelfContained = (extensions: Buffer): boolean => {
  for (let at = 0; at + 8 <= extensions.length; at += 8 + extensions.readUInt32BE(at + 4))
    if ((extensions[at] ?? 0) >= 0x61) return false
  return true
}

/** An index of version 2 with these entries, which are sorted. */
export const writeIndex = async (entries: readonly IndexEntry[], hash: Hash): Promise<Buffer> => {
  const head = Buffer.alloc(headBytes)
  head.write('DIRC', 'latin1')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(entries.length, 8)
  const parts = [head]
  for (let at = 0; at < entries.length; at += atOnce) {
    const written = entries.slice(at, at + atOnce).flatMap(({ stat, id, name }) => {
      const flags = Buffer.alloc(2)
      flags.writeUInt16BE(Math.min(name.length, flag.nameLength))
      const length = statBytes + id.length / 2 + flags.length + name.length
      return [stat, Buffer.from(id, 'hex'), flags, name, Buffer.alloc(padded(length) - length)]
    })
    parts.push(Buffer.concat(written))
    await nextTurn()
  }
  for (const part of parts) hash.update(part)
  return Buffer.concat([...parts, hash.digest()])
}
