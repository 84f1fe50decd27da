import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SnapshotError } from './errors.ts'
import { createGit } from './git.ts'
import type { Held } from './held.ts'
import type { World } from './layer.ts'
import { parentsOf, pathAt } from './path-text.ts'
import { findRepository, userGit } from './repository.ts'
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
    await repository?.git(['worktree', 'add', '--detach', '--no-checkout', dir, held.head ?? ''])
    await writeSnapshot(world, held, dir)
    // The index as after a checkout of HEAD, so that git shows the changes of the snapshot.
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

export const writeSnapshot = async ({ shadow }: World, held: Held, dir: string): Promise<void> => {
  for (const layer of held.layers) {
    const layerDir = path.join(dir, layer.path)
    // Outside the shadow: this caller holds no lock, and a holder may clean up there.
    const gitDir = await mkdtemp(path.join(tmpdir(), 'rein-fork-'))
    try {
      await Promise.all([makeGitDir(gitDir, shadow.format), mkdir(layerDir, { recursive: true })])
      // Git writes many files faster than Node does.
      const git = createGit({ ...shadowPlace(shadow, gitDir, layerDir), umask: 0o777 & ~shadow.usual.program })
      await git(['read-tree', layer.files])
      await git(['checkout-index', '-a', '-f', '-q'])
    } finally {
      await rm(gitDir, { recursive: true, force: true })
    }
  }
  const dirs = [...held.emptyDirs, ...held.layers.map((layer) => layer.path)].flatMap((one) => parentsOf(`${one}/`))
  for (const one of new Set(dirs)) {
    await mkdir(pathAt(dir, one), { recursive: true })
    // The umask may have taken bits away.
    await chmod(pathAt(dir, one), shadow.usual.dir)
  }
  // The innermost first: a directory may become inaccessible.
  const modes = [...held.modes].toSorted(([a], [b]) => b.length - a.length)
  for (const [one, mode] of modes) await chmod(pathAt(dir, one), mode)
}
