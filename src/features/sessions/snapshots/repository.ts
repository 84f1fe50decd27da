import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createGit, type Env, type Git, gitEnv } from './git.ts'

export type ObjectFormat = 'sha1' | 'sha256'

export const idBytes = (format: ObjectFormat): number => (format === 'sha256' ? 32 : 20)

/** A work tree of the user and its repository. Snapshots only read it; a fork adds a work tree to it. */
export interface Repository {
  root: string
  /** The git directory of this work tree, and the one shared by all work trees of the repository. */
  gitDir: string
  commonDir: string
  objects: string
  format: ObjectFormat
  git: Git
}

/** The state of the user's git when a snapshot was taken. */
export interface Standing {
  head: string | null
  /** Null when HEAD is detached. */
  branch: string | null
  /** The tree of the user's index; null when there is none, as in the middle of a merge. */
  index: string | null
}

/** Keeps the user's hooks, watchers and logs out of Rein's reads. */
const quiet = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.logAllRefUpdates=false',
  'safe.directory=*',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

export const userGit = (cwd: string, env: Env): Git => createGit({ cwd, env: gitEnv(env, {}), options: quiet })

/** The work tree that contains a directory; null if there is none, or it ignores the directory. */
export const findRepository = async (dir: string, env: Env): Promise<Repository | null> => {
  const look = userGit(dir, env)
  const questions = [
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
    '--git-path',
    'objects',
    '--show-object-format',
  ]
  const { code, stdout } = await look(['rev-parse', ...questions], { answers: [128] })
  const [root = '', gitDir = '', commonDir = '', objects = '', format = ''] = stdout.toString().split('\n')
  if (code !== 0 || root === '') return null
  if (root !== dir) {
    const options = { env: { GIT_LITERAL_PATHSPECS: undefined }, answers: [1, 128] }
    if ((await look(['check-ignore', '-q', '--', dir], options)).code === 0) return null
  }
  const at = (file: string): string => path.resolve(dir, file)
  return {
    root,
    gitDir: at(gitDir),
    commonDir: at(commonDir),
    objects: at(objects),
    format: format === 'sha256' ? 'sha256' : 'sha1',
    git: userGit(root, env),
  }
}

type Head = Omit<Standing, 'index'>

/** HEAD and branch of a work tree; a branch without a commit has no HEAD. */
export const headOf = async (repository: Repository | null): Promise<Head> => {
  if (repository === null) return { head: null, branch: null }
  const read = await readHead(repository)
  if (read !== null) return read
  const { git } = repository
  const { code, stdout } = await git(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], { answers: [128] })
  const [head = '', name = ''] = stdout.toString().split('\n')
  if (code === 0) return { head, branch: shortBranch(name) }
  const unborn = await git(['symbolic-ref', '-q', 'HEAD'], { answers: [1, 128] })
  return { head: null, branch: shortBranch(unborn.stdout.toString().trim()) }
}

const readText = (dir: string, file: string): Promise<string> => readFile(path.join(dir, file), 'utf8').catch(() => '')

/** Reads two small files instead of starting git; null where they do not tell. */
const readHead = async ({ gitDir, commonDir }: Repository): Promise<Head | null> => {
  const text = await readText(gitDir, 'HEAD')
  const branch = /^ref: refs\/heads\/(.+)\n$/.exec(text)?.[1] ?? null
  let head = text
  if (branch !== null) {
    const ref = `refs/heads/${branch}`
    head = await readText(commonDir, ref)
    if (head === '') {
      const lines = (await readText(commonDir, 'packed-refs')).split('\n')
      head = lines.find((line) => line.endsWith(` ${ref}`))?.replace(/ .*$/, '\n') ?? ''
    }
  }
  return /^[0-9a-f]{40,64}\n$/.test(head) ? { head: head.trim(), branch } : null
}

const shortBranch = (ref: string): string | null =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null

/** Tells one state of a file from another without reading it. */
export const signatureOf = async (file: string): Promise<string> => {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? '-' : `${found.ino}.${found.size}.${found.mtimeNs}.${found.ctimeNs}`
}
