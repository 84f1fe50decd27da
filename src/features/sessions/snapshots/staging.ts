import { mkdir, open, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { isFull, storageFull } from './errors.ts'
import { stagingName, type Work, type World } from './layer.ts'
import { usualMode } from './modes.ts'
import type { Held } from './held.ts'
import type { ObjectStore } from './object-store.ts'
import { inParallel } from './parallel.ts'
import type { PathText } from './path-text.ts'
import { type Entry, linkMode } from './tree.ts'

const atOnce = 16

const stagingDir = (world: World): string => path.join(world.shadow.tree, stagingName)

/** Takes away what an interrupted restore has left. */
export const clearStaging = (world: World): Promise<void> => rm(stagingDir(world), { recursive: true, force: true })

/** Everything that will be written, complete and in the work tree's own file system: from here on, a rename is enough. */
export const stage = async (
  world: World,
  store: ObjectStore,
  target: Held,
  writes: ReadonlyMap<PathText, Entry>,
  { onProgress }: Work,
): Promise<Map<PathText, string>> => {
  const staged = new Map<PathText, string>()
  if (writes.size === 0) return staged
  try {
    await mkdir(stagingDir(world), { mode: 0o700 })
    let done = 0
    await inParallel(writes, atOnce, async ([one, entry]) => {
      const file = path.join(stagingDir(world), String(staged.size))
      staged.set(one, file)
      await stageOne(store, file, entry, target.modes.get(one) ?? usualMode(world.shadow.usual, entry.mode))
      done += 1
      onProgress?.({ done, total: writes.size })
    })
    return staged
  } catch (cause) {
    throw isFull(cause) ? storageFull(world.shadow.tree) : cause
  }
}

const stageOne = async (store: ObjectStore, file: string, { mode, id }: Entry, permissions: number): Promise<void> => {
  if (mode === linkMode) return symlink(await store.read(id, 'blob'), file)
  const draft = await open(file, 'wx', 0o600)
  try {
    const data = await store.fetch(id, (part) => draft.appendFile(part))
    if (data !== null) await draft.appendFile(data)
    await draft.chmod(permissions)
  } finally {
    await draft.close()
  }
}
