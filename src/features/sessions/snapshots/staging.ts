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

/** Removes what an interrupted restore left. */
export const clearStaging = (world: World): Promise<void> => rm(stagingDir(world), { recursive: true, force: true })

/** Writes all new content into the work tree's file system: after this, a rename puts each file into place. */
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
      if (entry.mode === linkMode) await symlink(await store.read(entry.id, 'blob'), file)
      else {
        const draft = await open(file, 'wx', 0o600)
        try {
          const data = await store.fetch(entry.id, (part) => draft.appendFile(part))
          if (data !== null) await draft.appendFile(data)
          await draft.chmod(target.modes.get(one) ?? usualMode(world.shadow.usual, entry.mode))
        } finally {
          await draft.close()
        }
      }
      done += 1
      onProgress?.({ done, total: writes.size })
    })
    return staged
  } catch (cause) {
    throw isFull(cause) ? storageFull(world.shadow.tree) : cause
  }
}
