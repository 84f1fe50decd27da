import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** A directory that others could read, write or replace. */
export class NotPrivateError extends Error {
  readonly code = 'not_private'

  constructor(dir: string, problem: string) {
    super(`${dir} ${problem}`)
    this.name = 'NotPrivateError'
  }
}

/** Makes `dir` and the missing directories above it, or refuses one that others can use. */
export const ensurePrivateDir = (dir: string, uid: number | undefined = process.getuid?.()): void => {
  // A trailing slash would make lstat follow a link.
  const exact = path.resolve(dir)
  const isNew =
    lstatSync(exact, { throwIfNoEntry: false }) === undefined &&
    mkdirSync(exact, { recursive: true, mode: 0o700 }) !== undefined
  const stats = lstatSync(exact)
  const refuse = (problem: string): never => {
    throw new NotPrivateError(exact, problem)
  }
  if (stats.isSymbolicLink()) refuse('is a symbolic link; Rein needs a directory of its own there.')
  if (!stats.isDirectory()) refuse('is not a directory; move it away.')
  if (uid !== undefined && stats.uid !== uid) refuse(`belongs to user ${stats.uid}, not to you (${uid}).`)
  const mode = (stats.mode & 0o777).toString(8)
  if (isNew) chmodSync(exact, 0o700)
  else if ((stats.mode & 0o077) !== 0) refuse(`is open to other users (mode ${mode}); run: chmod 700 '${exact}'`)
}
