import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SnapshotError } from './errors.ts'
import { createGit } from './git.ts'
import type { Held, HeldLayer } from './held.ts'
import type { World } from './layer.ts'
import { parentsOf, pathAt } from './path-text.ts'
import { findRepository, type Repository, userGit } from './repository.ts'
import { makeGitDir, shadowPlace } from './shadow-dir.ts'

export interface Forked {
  dir: string
  /** The commit that the new work tree stands on; null for a directory without git. */
  head: string | null
}

/** Writes a snapshot into a directory of its own: a work tree of the same repository, where there is one. */
export const forkTo = async (world: World, held: Held, dir: string): Promise<Forked> => {
  await refuseFull(dir)
  const repository = held.head === null ? null : await findRepository(world.shadow.tree, world.shadow.env)
  try {
    if (repository !== null) await addWorkTree(repository, dir, held.head ?? '')
    await writeSnapshot(world, held, dir)
    // The index as after a checkout of HEAD, so that git shows what the snapshot has changed.
    if (repository !== null) await userGit(dir, world.shadow.env)(['read-tree', 'HEAD'])
    return { dir, head: repository === null ? null : held.head }
  } catch (cause) {
    await rm(dir, { recursive: true, force: true })
    await repository?.git(['worktree', 'prune'], { answers: [128] })
    throw cause
  }
}

export const refuseFull = async (dir: string): Promise<void> => {
  if ((await readdir(dir).catch(() => [])).length > 0)
    throw new SnapshotError('not_empty', `${dir} is not empty. Name a directory that does not exist yet.`)
}

export const writeSnapshot = async (world: World, held: Held, dir: string): Promise<void> => {
  for (const layer of held.layers) await writeFiles(world, layer, path.join(dir, layer.path))
  await writeRest(world, held, dir)
}

const addWorkTree = async ({ git }: Repository, dir: string, head: string): Promise<void> =>
  void (await git(['worktree', 'add', '--detach', '--no-checkout', dir, head]))

/** Git writes many files faster than we do; nobody looks at them before all are there. */
const writeFiles = async (world: World, layer: HeldLayer, dir: string): Promise<void> => {
  const { shadow } = world
  // Elsewhere: whoever holds the lock, which nobody does here, may clean up in the shadow.
  const gitDir = await mkdtemp(path.join(tmpdir(), 'rein-fork-'))
  try {
    await Promise.all([makeGitDir(gitDir, shadow.format), mkdir(dir, { recursive: true })])
    const git = createGit({ ...shadowPlace(shadow, gitDir, dir), umask: 0o777 & ~shadow.usual.program })
    await git(['read-tree', layer.files])
    await git(['checkout-index', '-a', '-f', '-q'])
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

const writeRest = async ({ shadow }: World, held: Held, dir: string): Promise<void> => {
  const dirs = [...held.emptyDirs, ...held.layers.map((layer) => layer.path)].flatMap((one) => parentsOf(`${one}/`))
  for (const one of new Set(dirs)) {
    await mkdir(pathAt(dir, one), { recursive: true })
    // The umask may have taken bits away.
    await chmod(pathAt(dir, one), shadow.usual.dir)
  }
  // The innermost first: a directory may be closed to us afterwards.
  const modes = [...held.modes].toSorted(([a], [b]) => b.length - a.length)
  for (const [one, mode] of modes) await chmod(pathAt(dir, one), mode)
}
