import { chmod, type FileHandle, mkdir, open, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { isFull, storageFull } from './errors.ts'
import { stagingName, type Work, type World } from './layer.ts'
import { usualMode } from './modes.ts'
import type { Held } from './held.ts'
import type { ObjectStore } from './object-store.ts'
import type { PathText } from './path-text.ts'
import { type Entry, linkMode } from './tree.ts'

const stagingDir = (world: World): string => path.join(world.tree, stagingName)

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
    for (const [one, entry] of writes) {
      const file = path.join(stagingDir(world), String(staged.size))
      await stageOne(store, file, entry, target.modes.get(one) ?? usualMode(world.usual, entry.mode))
      staged.set(one, file)
      onProgress?.({ done: staged.size, total: writes.size })
    }
    return staged
  } catch (cause) {
    throw isFull(cause) ? storageFull(world.tree) : cause
  }
}

const stageOne = async (store: ObjectStore, file: string, { mode, id }: Entry, permissions: number): Promise<void> => {
  if (mode === linkMode) return symlink(await store.reader.read(id, 'blob'), file)
  const draft = await open(file, 'wx', 0o600)
  try {
    await store.reader.stream(id, 'blob', (part) => writeAll(draft, part))
  } finally {
    await draft.close()
  }
  await chmod(file, permissions)
}

const writeAll = async (file: FileHandle, data: Buffer): Promise<void> => file.appendFile(data)
