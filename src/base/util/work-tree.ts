import { execFile } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** The nearest directory with a `.git`, and its git directory. */
export const workTree = (cwd: string): { root: string; git: string } | null => {
  for (let at = cwd; ; at = path.dirname(at)) {
    const git = path.join(at, '.git')
    try {
      if (statSync(git).isDirectory()) return { root: at, git }
      // In a further work tree `.git` is a file that names the git directory.
      const place = /^gitdir: (.+)/.exec(readFileSync(git, 'utf8'))?.[1]
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
      common = readFileSync(path.join(real, 'commondir'), 'utf8').trim()
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
    return /^ref: refs\/heads\/(.+)/.exec(readFileSync(path.join(git, 'HEAD'), 'utf8'))?.[1]?.trim() ?? null
  } catch {
    return null
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
