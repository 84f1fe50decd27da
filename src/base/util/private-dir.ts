import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs'
import path from 'node:path'

/** A directory that others could read, write or replace. */
export class NotPrivateError extends Error {
  readonly code = 'not_private'

  constructor(dir: string, problem: string) {
    super(`${dir} ${problem}`)
    this.name = 'NotPrivateError'
  }
}

/** Makes `dir` and what is missing above it, or refuses one that is not ours alone. */
export const ensurePrivateDir = (dir: string, uid: number | undefined = process.getuid?.()): void => {
  // A trailing slash would make lstat follow a link.
  const exact = path.resolve(dir)
  const isNew = make(exact)
  const stats = lstatSync(exact)
  const problem = wrongKind(stats) ?? wrongOwner(stats, uid)
  if (problem !== undefined) throw new NotPrivateError(exact, problem)
  if (isNew) chmodSync(exact, 0o700)
  else if ((stats.mode & 0o077) !== 0) throw new NotPrivateError(exact, tooOpen(exact, stats))
}

/** True if the directory was not there before; what has the name already is looked at afterwards. */
const make = (dir: string): boolean =>
  lstatSync(dir, { throwIfNoEntry: false }) === undefined &&
  mkdirSync(dir, { recursive: true, mode: 0o700 }) !== undefined

const wrongKind = (stats: Stats): string | undefined => {
  if (stats.isSymbolicLink()) return 'is a symbolic link; Rein needs a directory of its own there.'
  return stats.isDirectory() ? undefined : 'is not a directory; move it away.'
}

const wrongOwner = (stats: Stats, uid: number | undefined): string | undefined =>
  uid === undefined || stats.uid === uid ? undefined : `belongs to user ${stats.uid}, not to you (${uid}).`

const tooOpen = (dir: string, stats: Stats): string =>
  `is open to other users (mode ${(stats.mode & 0o777).toString(8)}); run: chmod 700 '${dir}'`
