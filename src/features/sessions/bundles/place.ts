import { accessSync, constants, existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import type { Env } from '../snapshots/git.ts'
import type { Repository } from '../snapshots/repository.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import type { Manifest } from './manifest.ts'
import { hasCommit, isClean, originOf, refuseSha256 } from './origin.ts'
import { freeName } from '../../../base/util/free-name.ts'
import { quoted } from '../../../base/util/shell.ts'

/** The place for the files of a bundle: a clone of its repository, or an empty directory. */
export type BundlePlace = { kind: 'clone'; dir: string; repository: Repository } | { kind: 'empty'; dir: string }

type Wanted = Pick<Manifest, 'repository' | 'base'>

/** A directory that is not there yet, as it is typed: beside this one, else in the home directory. */
const beside = (dir: string): string => {
  const parent = path.dirname(path.resolve(dir))
  const name = path.basename(path.resolve(dir)) || 'bundle'
  return quoted(freeName(path.join(isWritable(parent) ? parent : homedir(), name), existsSync))
}

const isWritable = (dir: string): boolean => {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Refuses every place where the user could lose something, or where the bundle could not be read. */
export const findPlace = async (wanted: Wanted, dir: string, isNamed: boolean, env: Env): Promise<BundlePlace> => {
  const clone = await findClone(wanted, dir, env)
  if (clone !== null) {
    if (await isClean(clone)) return { kind: 'clone', dir: clone.root, repository: clone }
    throw new ReinError(
      'refused',
      `${clone.root} has changes that are in no commit.`,
      `Commit or stash them, or import into another work tree: git -C ${quoted(clone.root)} worktree add ${beside(clone.root)} and then --into ${beside(clone.root)}`,
    )
  }
  // Inside another repository, the files would be taken for its own.
  let above = path.resolve(dir)
  while (!existsSync(above)) above = path.dirname(above)
  const around = await originOf(await realpath(above), env)
  const hint = `Name a new directory: --into ${beside(around?.repository.root ?? dir)}`
  if (!isNamed) throw new ReinError('usage', 'Where are the files to be?', hint)
  if (existsSync(dir) && (await readdir(dir)).length > 0) throw new ReinError('refused', `${dir} is not empty.`, hint)
  if (around !== null) throw new ReinError('refused', `${dir} lies in the repository ${around.repository.root}.`, hint)
  return { kind: 'empty', dir: path.resolve(dir) }
}

/** The repository of a bundle, if this directory is in it; a bundle that builds on a commit needs it. */
export const findClone = async (wanted: Wanted, dir: string, env: Env): Promise<Repository | null> => {
  const origin = existsSync(dir) ? await originOf(await realpath(dir), env) : null
  const isSame = origin !== null && wanted.repository !== null && origin.identity.root === wanted.repository.root
  if (!isSame && wanted.base !== null)
    throw new ReinError(
      'refused',
      `This bundle builds on commit ${wanted.base} of ${escapeUnsafe(wanted.repository?.remote ?? 'a repository')}, and this is no clone of it.`,
      'Clone it, and do this in the clone.',
    )
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
