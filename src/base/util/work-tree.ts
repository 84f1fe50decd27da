import { execFile } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** The nearest directory with a `.git`, and its git directory. */
export const workTree = (cwd: string): { root: string; git: string } | null => {
  for (let at = cwd; ; at = path.dirname(at)) {
    const git = path.join(at, '.git')
    try {
      if (statSync(git).isDirectory()) return { root: at, git }
      // In a further work tree `.git` is a file that names the git directory.
      const place = /^gitdir: (.+)/.exec(readSmallFile(git))?.[1]
      if (place !== undefined) return { root: at, git: path.resolve(at, place.trim()) }
    } catch {
      // There is none here.
    }
    if (path.dirname(at) === at) return null
  }
}

/** The git directory that all work trees of a repository share, links resolved. */
export const sharedGit = (git: string): string => {
  try {
    const real = realpathSync(git)
    let common = '.'
    try {
      common = readSmallFile(path.join(real, 'commondir')).trim()
    } catch {
      // Only a further work tree points to the first one.
    }
    return realpathSync(path.resolve(real, common))
  } catch {
    return git
  }
}

/** Null for a commit that no branch names. */
export const branchIn = (git: string): string | null => {
  try {
    return /^ref: refs\/heads\/(.+)/.exec(readSmallFile(path.join(git, 'HEAD')))?.[1]?.trim() || null
  } catch {
    return null
  }
}

const smallFileBytes = 8192

/** Agents write in their directories: a pipe there must not stop the reader, and of a large file only the beginning is read. */
const readSmallFile = (file: string): string => {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(fd).isFile()) throw new Error(`${file} is no file.`)
    const buffer = Buffer.alloc(smallFileBytes)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, smallFileBytes, 0))
  } finally {
    closeSync(fd)
  }
}

/** Whether something is not committed, without taking git's lock, which others use. */
export const hasChanges = (root: string, patienceMs: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--no-optional-locks', '-C', root, 'status', '--porcelain', '--untracked-files=normal']
    execFile('git', args, { timeout: patienceMs, maxBuffer: 64 * 1024 * 1024 }, (cause, out) => {
      if (cause === null) resolve(out !== '')
      else reject(cause)
    })
  })
