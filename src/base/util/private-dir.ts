import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { quoted } from './shell.ts'

/** A directory that others could read, write or replace. */
export class NotPrivateError extends Error {
  readonly code = 'not_private'
  /** What to do about it. */
  readonly hint: string

  constructor(dir: string, problem: string, hint: string) {
    super(`${dir} ${problem}`)
    this.name = 'NotPrivateError'
    this.hint = hint
  }
}

/** One after the other: on a disk that refuses them `recursive` reports another error, or never ends. False: another process was first. */
const makeDirectories = (dir: string): boolean => {
  const above = path.dirname(dir)
  if (above !== dir && lstatSync(above, { throwIfNoEntry: false }) === undefined) makeDirectories(above)
  try {
    mkdirSync(dir, { mode: 0o700 })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  }
}

/** Makes `dir` and the missing directories above it, or refuses one that others can use. */
export const ensurePrivateDir = (dir: string, uid: number | undefined = process.getuid?.()): void => {
  // A trailing slash would make lstat follow a link.
  const exact = path.resolve(dir)
  const isNew = lstatSync(exact, { throwIfNoEntry: false }) === undefined && makeDirectories(exact)
  const stats = lstatSync(exact)
  const refuse = (problem: string, hint: string): never => {
    throw new NotPrivateError(exact, problem, hint)
  }
  const another = 'Choose another directory: export REIN_HOME=~/rein-home'
  if (stats.isSymbolicLink()) refuse('is a symbolic link; Rein needs a directory of its own there.', another)
  if (!stats.isDirectory())
    refuse(
      'is not a directory.',
      `Move it away: mv ${quoted(exact)} ${quoted(`${exact}.old`)}. Or choose another directory: export REIN_HOME=~/rein-home`,
    )
  if (uid !== undefined && stats.uid !== uid)
    refuse(
      `belongs to user ${stats.uid}, not to you (${uid}).`,
      'Choose a directory of your own: export REIN_HOME=~/rein-home',
    )
  const mode = (stats.mode & 0o777).toString(8)
  if (isNew) chmodSync(exact, 0o700)
  else if ((stats.mode & 0o077) !== 0)
    refuse(`is open to other users (mode ${mode}).`, `Close it: chmod 700 ${quoted(exact)}`)
}
