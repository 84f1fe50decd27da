import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { BoundedMap } from '../util/bounded-map.ts'

interface Seen {
  isDirty: Promise<boolean>
  print: string
  at: number
}

const mostTrees = 200
const believedMs = 1000
const patienceMs = 5000

/** The branch of a work tree, and whether it has changes that are not committed. */
export class GitLook {
  readonly #now: () => number
  readonly #status: (root: string) => Promise<boolean>
  readonly #seen = new BoundedMap<string, Seen>(mostTrees)

  constructor(now: () => number, status = isDirty) {
    this.#now = now
    this.#status = status
  }

  /** Null where there is none: no work tree, or a commit that no branch names. */
  async branch(cwd: string): Promise<string | null> {
    const tree = await workTree(cwd)
    const head = tree === null ? '' : await readFile(path.join(tree.git, 'HEAD'), 'utf8').catch(() => '')
    return /^ref: refs\/heads\/(.+)/.exec(head)?.[1]?.trim() ?? null
  }

  /** Where a directory of one work tree is in the other one of the same repository that holds a file; null if it is the same. */
  async rootBeside(root: string, file: string): Promise<string | null> {
    const [here, there] = await Promise.all([workTree(root), workTree(path.dirname(file))])
    if (here === null || there === null || here.root === there.root) return null
    const [own, other] = await Promise.all([repositoryOf(here.git), repositoryOf(there.git)])
    return own === other ? path.join(there.root, path.relative(here.root, root)) : null
  }

  /** Git is asked again when its index has changed, and after a second: files change without it. In doubt it is dirty. */
  async isDirty(cwd: string): Promise<boolean> {
    const tree = await workTree(cwd)
    if (tree === null) return false
    const print = await printOf(tree.git)
    const seen = this.#seen.get(tree.root)
    if (seen !== undefined && seen.print === print && this.#now() - seen.at < believedMs) return seen.isDirty
    const asked = this.#status(tree.root).catch(() => true)
    this.#seen.set(tree.root, { isDirty: asked, print, at: this.#now() })
    return asked
  }
}

const printOf = async (git: string): Promise<string> => {
  const looks = await Promise.all(
    ['HEAD', 'index'].map((name) =>
      stat(path.join(git, name)).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => '',
      ),
    ),
  )
  return looks.join('|')
}

const workTree = async (directory: string): Promise<{ root: string; git: string } | null> => {
  const dot = path.join(directory, '.git')
  const found = await stat(dot).catch(() => null)
  if (found?.isDirectory() === true) return { root: directory, git: dot }
  if (found?.isFile() === true) return linkedTree(directory, dot)
  const parent = path.dirname(directory)
  return parent === directory ? null : workTree(parent)
}

/** A further work tree of a repository has a file that names its directory. */
const linkedTree = async (root: string, file: string): Promise<{ root: string; git: string } | null> => {
  const git = /^gitdir: (.+)/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]?.trim()
  return git === undefined ? null : { root, git: path.resolve(root, git) }
}

/** What all work trees of a repository have in common. */
const repositoryOf = async (git: string): Promise<string> => {
  const common = await readFile(path.join(git, 'commondir'), 'utf8').catch(() => '.')
  const directory = path.resolve(git, common.trim())
  return realpath(directory).catch(() => directory)
}

/** Without taking git's lock: it is in use by somebody else. */
const isDirty = (root: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--no-optional-locks', '-C', root, 'status', '--porcelain', '--untracked-files=normal']
    execFile('git', args, { timeout: patienceMs, maxBuffer: 64 * 1024 * 1024 }, (cause, out) => {
      if (cause === null) resolve(out !== '')
      else reject(cause)
    })
  })
