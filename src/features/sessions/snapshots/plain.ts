import { appendFile } from 'node:fs/promises'
import { type Held, readHeld, writeHeld } from './held.ts'
import type { World } from './layer.ts'
import { ObjectStore } from './object-store.ts'
import type { PathText } from './path-text.ts'
import { madeFile } from './taker.ts'
import { dirMode, editTree } from './tree.ts'

/** A snapshot without machine-specific parts: one tree of files, and what git trees cannot hold. */
export interface Plain {
  /** Repositories inside the work tree become plain directories. */
  files: string
  modes: [PathText, number][]
  emptyDirs: PathText[]
  head: string | null
  branch: string | null
}

export const plainOf = async (store: ObjectStore, id: string): Promise<Plain> => {
  const { layers, modes, emptyDirs, head, branch } = await readHeld(store, id)
  const [top, ...inner] = layers
  const changes = new Map(inner.map(({ path, files }) => [path, { mode: dirMode, id: files }]))
  const files = changes.size === 0 ? (top?.files ?? '') : await editTree(store, top?.files ?? null, changes)
  await store.settle()
  return { files, modes: [...modes], emptyDirs, head, branch }
}

/** Makes snapshots of objects that exist already. The caller holds the lock. */
export const adoptPlain = async (world: World, plains: readonly Plain[]): Promise<Held[]> => {
  const store = new ObjectStore(world.shadow)
  const held: Held[] = []
  for (const { modes, ...plain } of plains) {
    const layer = {
      path: '',
      gitFile: null,
      ignore: '',
      skipped: [],
      repositories: [],
      modes: new Map(modes),
      ...plain,
    }
    held.push(await writeHeld(store, layer, null, world.now()))
  }
  // Noted as made now, so that gc takes them for fresh ones.
  await appendFile(madeFile(world), held.map(({ id }) => `${world.now()} ${id}\n`).join(''), { mode: 0o600 })
  await store.close()
  return held
}
