import { execFile } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** The directory above that has a `.git`, and where git keeps its things for it. */
export const workTree = (cwd: string): { root: string; git: string } | null => {
  for (let at = cwd; ; at = path.dirname(at)) {
    const git = gitIn(at)
    if (git !== null) return { root: at, git }
    if (path.dirname(at) === at) return null
  }
}

/** In a work tree of its own `.git` is a file that names the place. */
const gitIn = (directory: string): string | null => {
  const git = path.join(directory, '.git')
  try {
    if (statSync(git).isDirectory()) return git
    const place = /^gitdir: (.+)/.exec(readFileSync(git, 'utf8'))?.[1]
    return place === undefined ? null : path.resolve(directory, place.trim())
  } catch {
    return null
  }
}

/** What all work trees of a repository share, whatever way leads to them. */
export const sharedGit = (git: string): string => {
  try {
    const real = realpathSync(git)
    return realpathSync(path.resolve(real, sharedBy(real)))
  } catch {
    return git
  }
}

/** Only a further work tree says where the first one keeps its things. */
const sharedBy = (git: string): string => {
  try {
    return readFileSync(path.join(git, 'commondir'), 'utf8').trim()
  } catch {
    return '.'
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

/** Whether something is not committed, without taking git's lock: it is in use by somebody else. */
export const hasChanges = (root: string, patienceMs: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--no-optional-locks', '-C', root, 'status', '--porcelain', '--untracked-files=normal']
    execFile('git', args, { timeout: patienceMs, maxBuffer: 64 * 1024 * 1024 }, (cause, out) => {
      if (cause === null) resolve(out !== '')
      else reject(cause)
    })
  })
