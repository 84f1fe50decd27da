import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from './refusal.ts'

const maxBytes = 5 * 1024 * 1024

/** A file as it is now. */
export interface Target {
  bytes: Buffer | null
  stats: Stats | null
}

/** The file behind a path: links, as dotfile managers make them, stay. */
export const realTarget = (path: string): string => {
  try {
    return realpathSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new Refusal(`cannot be reached (${code})`)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Refusal('is a link that leads nowhere')
    return join(realTarget(dirname(path)), basename(path))
  }
}

export const readTarget = (file: string): Target => {
  // Claude Code writes this file all the time, with everything it knows.
  if (basename(file) === '.claude.json') throw new Refusal('is the private state of Claude Code')
  try {
    const stats = statSync(file, { throwIfNoEntry: false }) ?? null
    if (stats === null) return { bytes: null, stats }
    if (!stats.isFile()) throw new Refusal(stats.isDirectory() ? 'is a directory' : 'is not a regular file')
    if (stats.size > maxBytes) throw new Refusal(`has ${stats.size} bytes; up to ${maxBytes} are edited`)
    return { bytes: readFileSync(file), stats }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal(`cannot be read (${(cause as NodeJS.ErrnoException).code})`)
  }
}

export const refuseReadOnly = ({ stats }: Target): void => {
  if (stats !== null && (stats.mode & 0o222) === 0) throw new Refusal('is read-only')
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const textOfBytes = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    const repaired = Buffer.from(bytes.toString('utf8'))
    const offset = bytes.findIndex((byte, index) => byte !== repaired[index])
    const lines = bytes.subarray(0, offset).toString('utf8').split('\n')
    throw new Refusal('is not valid UTF-8', { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 })
  }
}
