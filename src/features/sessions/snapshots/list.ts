import type { Held } from './held.ts'
import { joined, type PathText } from './path-text.ts'
import { dirMode, type TreeStore } from './tree.ts'

type Store = Pick<TreeStore, 'readTree'>

/** Every file, link and empty directory of a snapshot, with a text that identifies content and mode. */
export const listHeld = async (store: Store, held: Held): Promise<Map<PathText, string>> => {
  const list = new Map<PathText, string>(held.emptyDirs.map((dir) => [dir, 'directory']))
  for (const layer of held.layers) await addTree(store, layer.files, layer.path, list)
  for (const [path, mode] of held.modes) list.set(path, `${list.get(path) ?? 'directory'} ${mode.toString(8)}`)
  return list
}

const addTree = async (store: Store, tree: string, at: PathText, list: Map<PathText, string>): Promise<void> => {
  for (const [name, { mode, id }] of await store.readTree(tree)) {
    const path = joined(at, name)
    if (mode === dirMode) await addTree(store, id, path, list)
    else list.set(path, `${mode} ${id}`)
  }
}
