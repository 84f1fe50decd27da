import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createGit, type Env, type Git, gitEnv } from './git.ts'

export type ObjectFormat = 'sha1' | 'sha256'

export const idBytes = (format: ObjectFormat): number => (format === 'sha256' ? 32 : 20)

/** A work tree of the user's, and the repository that it belongs to. Nothing in here is ever written to. */
export interface Repository {
  root: string
  /** The git directory of this work tree, and the one that all work trees of the repository share. */
  gitDir: string
  commonDir: string
  objects: string
  format: ObjectFormat
  git: Git
}

/** Where the user's git stood when a snapshot was taken. */
export interface Standing {
  head: string | null
  /** Null when HEAD is detached. */
  branch: string | null
  /** The tree that the user's index stands for; null when it cannot be told, as in the middle of a merge. */
  index: string | null
}

/** None of the user's hooks, watchers or logs has anything to do with a look of ours. */
const quiet = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.logAllRefUpdates=false',
  'safe.directory=*',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

export const userGit = (cwd: string, env: Env): Git => createGit({ cwd, env: gitEnv(env, {}), options: quiet })

/** The work tree that a directory lies in; null if it lies in none, or in one that ignores it. */
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
  if (root !== dir && (await ignores(look, dir))) return null
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

const ignores = async (git: Git, dir: string): Promise<boolean> =>
  (await git(['check-ignore', '-q', '--', dir], { env: { GIT_LITERAL_PATHSPECS: undefined }, answers: [1, 128] }))
    .code === 0

type Head = Omit<Standing, 'index'>

/** What HEAD and the branch of a work tree are; a branch without a commit has no HEAD. */
export const headOf = async (repository: Repository | null): Promise<Head> => {
  if (repository === null) return { head: null, branch: null }
  return (await readHead(repository)) ?? (await askHead(repository.git))
}

/** Mostly, two small files say it all. */
const readHead = async ({ gitDir, commonDir }: Repository): Promise<Head | null> => {
  const text = await textOf(path.join(gitDir, 'HEAD'))
  const branch = /^ref: refs\/heads\/(.+)\n$/.exec(text)?.[1] ?? null
  const head = branch === null ? text : await readBranch(commonDir, `refs/heads/${branch}`)
  return /^[0-9a-f]{40,64}\n$/.test(head) ? { head: head.trim(), branch } : null
}

/** A file of its own, or a line of the file that a gc puts them all into. */
const readBranch = async (commonDir: string, ref: string): Promise<string> => {
  const own = await textOf(path.join(commonDir, ref))
  if (own !== '') return own
  const lines = (await textOf(path.join(commonDir, 'packed-refs'))).split('\n')
  return lines.find((line) => line.endsWith(` ${ref}`))?.replace(/ .*$/, '\n') ?? ''
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

const askHead = async (git: Git): Promise<Head> => {
  const { code, stdout } = await git(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], { answers: [128] })
  const [head = '', name = ''] = stdout.toString().split('\n')
  if (code === 0) return { head, branch: shortBranch(name) }
  const unborn = await git(['symbolic-ref', '-q', 'HEAD'], { answers: [1, 128] })
  return { head: null, branch: shortBranch(unborn.stdout.toString().trim()) }
}

const shortBranch = (ref: string): string | null =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null

/** What tells one state of a file from another without reading it. */
export const signatureOf = async (file: string): Promise<string> => {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? '-' : `${found.ino}.${found.size}.${found.mtimeNs}.${found.ctimeNs}`
}
