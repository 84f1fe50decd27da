import { ReinError } from '../../../contract/errors.ts'
import type { Git } from '../snapshots/git.ts'
import { findRepository, type Repository } from '../snapshots/repository.ts'
import type { Env } from '../snapshots/git.ts'
import type { Manifest } from './manifest.ts'

/** A repository, and its identity across machines. */
interface Origin {
  repository: Repository
  identity: NonNullable<Manifest['repository']>
}

/** Null for a directory without a repository, or with one without a commit. */
export const originOf = async (dir: string, env: Env): Promise<Origin | null> => {
  const repository = await findRepository(dir, env)
  if (repository === null) return null
  const roots = await lines(repository.git, 'rev-list', '--max-parents=0', 'HEAD')
  const root = roots.at(-1)
  if (root === undefined) return null
  const [remote = null] = await lines(repository.git, 'config', '--get', 'remote.origin.url')
  // The user name and password of a remote are private.
  const url = remote?.replace(/^([a-z+]+:\/\/)[^@/]*@/i, '$1').slice(0, 2000) ?? null
  return { repository, identity: { root, remote: url } }
}

/** The newest ancestor of a commit that the remote has, as far as this repository knows. */
export const sharedCommit = async ({ git }: Repository, head: string): Promise<string | null> => {
  const remotes = await lines(git, 'for-each-ref', '--format=%(objectname)', 'refs/remotes')
  if (remotes.length === 0) return null
  const [base = null] = await lines(git, 'merge-base', head, ...new Set(remotes))
  return base
}

export const hasCommit = async ({ git }: Repository, commit: string): Promise<boolean> =>
  (await git(['cat-file', '-e', `${commit}^{commit}`], { answers: [1, 128] })).code === 0

export const isClean = async ({ git }: Repository): Promise<boolean> =>
  (await git(['status', '--porcelain', '-z'])).stdout.length === 0

const lines = async (git: Git, ...args: string[]): Promise<string[]> => {
  const { stdout } = await git(args, { answers: [1, 128] })
  return stdout.toString().split('\n').filter(Boolean)
}

export const refuseSha256 = ({ format }: Pick<Repository, 'format'>): void => {
  if (format === 'sha256') throw new ReinError('refused', 'A repository with SHA-256 objects cannot be bundled yet.')
}
