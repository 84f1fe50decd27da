import { mkdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensurePrivateDir } from '../../../base/util/private-dir.ts'
import { refuseFull, writeSnapshot } from './fork.ts'
import type { Held } from './held.ts'
import type { World } from './layer.ts'
import { findRepository, type Repository, userGit } from './repository.ts'
import { keyOf, settleLike } from './shadow-dir.ts'

/** Writes a snapshot into a new directory, with a repository that reads the user's objects and never writes there. */
export const copyTo = async (world: World, held: Held, dir: string, shadows: string): Promise<void> => {
  const { shadow } = world
  await refuseFull(dir)
  await mkdir(dir, { recursive: true })
  const repository = held.head === null ? null : await findRepository(shadow.tree, shadow.env)
  if (repository !== null) await makeRepository(repository, held, dir, shadow.env)
  await writeSnapshot(world, held, dir)
  if (repository !== null) await userGit(dir, shadow.env)(['read-tree', 'HEAD'])
  const tree = await realpath(dir)
  const own = path.join(shadows, keyOf(tree))
  for (const one of [shadows, own]) ensurePrivateDir(one)
  await settleLike(own, tree, shadow)
}

/** Has all branches and tags, and the HEAD of the snapshot; no remotes, settings or hooks of the user. */
const makeRepository = async (from: Repository, { head, branch }: Held, dir: string, env: World['shadow']['env']) => {
  const git = userGit(dir, env)
  await git(['init', '--quiet', '--template=', `--object-format=${from.format}`])
  await writeFile(path.join(dir, '.git/objects/info/alternates'), `${from.objects}\n`)
  const refs = ['heads', 'tags'].map((kind) => `+refs/${kind}/*:refs/${kind}/*`)
  await git(['fetch', '--quiet', '--update-head-ok', from.root, ...refs])
  if (branch === null) await git(['update-ref', '--no-deref', 'HEAD', head ?? ''])
  else {
    await git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
    await git(['update-ref', 'HEAD', head ?? ''])
  }
  // A commit needs an author, and the home directory of a replay has no git settings.
  for (const [key, value] of Object.entries({ 'user.name': 'Rein', 'user.email': 'rein@localhost' }))
    await git(['config', key, value])
}
