import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import type { Env } from '../snapshots/git.ts'
import type { Repository } from '../snapshots/repository.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import type { Manifest } from './manifest.ts'
import { hasCommit, isClean, originOf, refuseSha256 } from './origin.ts'

/** Where the files of a bundle are to be: a clone of its repository, or a directory that has nothing in it. */
export type BundlePlace = { kind: 'clone'; dir: string; repository: Repository } | { kind: 'empty'; dir: string }

type Wanted = Pick<Manifest, 'repository' | 'base'>

/** Refuses every place where something of the user's could be lost, or the bundle could not be read. */
export const findPlace = async (wanted: Wanted, dir: string, isNamed: boolean, env: Env): Promise<BundlePlace> => {
  const clone = await findClone(wanted, dir, env)
  if (clone !== null) return cleanClone(clone)
  if (!isNamed) throw new ReinError('usage', 'Where are the files to be?', 'Name a new directory: --into DIR')
  if (existsSync(dir) && (await readdir(dir)).length > 0)
    throw new ReinError('refused', `${dir} is not empty.`, 'Name a new directory: --into DIR')
  await refuseInside(dir, env)
  return { kind: 'empty', dir: path.resolve(dir) }
}

/** The repository of a bundle, if this directory is in it; a bundle that builds on a commit cannot be read without. */
export const findClone = async (wanted: Wanted, dir: string, env: Env): Promise<Repository | null> => {
  const origin = existsSync(dir) ? await originOf(await realpath(dir), env) : null
  const isSame = origin !== null && wanted.repository !== null && origin.identity.root === wanted.repository.root
  if (!isSame && wanted.base !== null) throw needsClone(wanted)
  if (!isSame) return null
  const { repository } = origin
  refuseSha256(repository)
  if (wanted.base !== null && !(await hasCommit(repository, wanted.base)))
    throw new ReinError(
      'not_found',
      `This bundle builds on commit ${wanted.base}, which ${repository.root} does not have.`,
      `Fetch it first: git fetch origin ${wanted.base}`,
    )
  return repository
}

const cleanClone = async (repository: Repository): Promise<BundlePlace> => {
  if (!(await isClean(repository)))
    throw new ReinError(
      'refused',
      `${repository.root} has changes that are in no commit.`,
      'Commit or stash them, or import into another work tree: git worktree add DIR, then --into DIR',
    )
  return { kind: 'clone', dir: repository.root, repository }
}

const needsClone = ({ repository, base }: Wanted): ReinError =>
  new ReinError(
    'refused',
    `This bundle builds on commit ${base} of ${escapeUnsafe(repository?.remote ?? 'a repository')}, and this is no clone of it.`,
    'Clone it, and do this in the clone.',
  )

/** In a repository of something else the files would be taken for its own. */
const refuseInside = async (dir: string, env: Env): Promise<void> => {
  let above = path.resolve(dir)
  while (!existsSync(above)) above = path.dirname(above)
  const origin = await originOf(await realpath(above), env)
  if (origin !== null)
    throw new ReinError(
      'refused',
      `${dir} lies in the repository ${origin.repository.root}.`,
      'Name a directory outside of it.',
    )
}
