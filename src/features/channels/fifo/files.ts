import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { channelPattern } from '../../../contract/handle.ts'

/** A file that has the name of a FIFO. */
export interface FifoFile {
  file: string
  path: string
  channel: string
  ino: number
  /** Why it is not used; null: it is. */
  problem: string | null
  /** A FIFO of this user with any name: a writer may be waiting for a reader there. */
  isOwnFifo: boolean
}

/** A file that has the name of a FIFO and cannot be one; `refused` lines were written to it all the same. */
export interface UnusedFifo {
  file: string
  reason: string
  refused: number
}

/** The FIFOs of one direction: `in`, `in.<channel>`, `out.<channel>`. Names come from the directory, never from a message. */
export const listFifos = (dir: string, direction: 'in' | 'out'): FifoFile[] =>
  readdirSync(dir)
    .filter((file) => (file === 'in' ? direction === 'in' : file.startsWith(`${direction}.`)))
    .flatMap((file) => {
      const path = join(dir, file)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (stats === undefined) return []
      const channel = file === 'in' ? file : file.slice(file.indexOf('.') + 1)
      const flaw = problemOf(path, stats, isPrivate(dir))
      const problem = channelPattern.test(channel)
        ? flaw
        : `${path} names no channel: after the dot come up to 32 of a to z, 0 to 9, _ and -.`
      return [{ file, path, channel, ino: stats.ino, problem, isOwnFifo: flaw === null }]
    })

/** Opens it without waiting for the other end; it is looked at again, for it may have been replaced. */
export const openFifo = ({ path }: FifoFile, access: number): number => {
  const fd = openSync(path, access | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  const problem = problemOf(path, fstatSync(fd), isPrivate(dirname(path)))
  if (problem === null) return fd
  closeSync(fd)
  throw new Error(problem)
}

/** Other users cannot reach files in it, whatever their mode: with a umask of 002 `mkfifo` makes 664. */
const isPrivate = (dir: string): boolean => {
  const { mode, uid } = statSync(dir)
  return uid === process.getuid?.() && (mode & 0o077) === 0
}

const problemOf = (path: string, stats: Stats, isAlone: boolean): string | null => {
  if (!stats.isFIFO()) return `${path} is not a FIFO; remove it and run: mkfifo -m 600 '${path}'`
  const uid = process.getuid?.()
  if (uid !== undefined && stats.uid !== uid) return `${path} belongs to user ${stats.uid}, not to you (${uid}).`
  const mode = stats.mode & 0o777
  return isAlone || (mode & 0o022) === 0
    ? null
    : `${path} can be written by others (mode ${mode.toString(8)}); run: chmod 600 '${path}'`
}
