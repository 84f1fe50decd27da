import { type PathText, pathBytes, pathText } from './path-text.ts'

/** A file (100644), a program (100755), a link (120000) or a directory (40000), as git writes it. */
export interface Entry {
  mode: string
  id: string
}

export type Tree = Map<PathText, Entry>

/** The new entry of each path; null deletes it. */
type Changes = ReadonlyMap<PathText, Entry | null>

export interface TreeStore {
  readTree(id: string): Promise<Tree>
  writeTree(tree: Tree): Promise<string>
}

export const dirMode = '40000'
export const linkMode = '120000'
export const fileMode = '100644'
export const programMode = '100755'

export const parseTree = (data: Buffer, idBytes: number): Tree => {
  const tree: Tree = new Map()
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at)
    const end = data.indexOf(0, space)
    const mode = data.toString('latin1', at, space)
    const id = data.toString('hex', end + 1, end + 1 + idBytes)
    tree.set(pathText(data.subarray(space + 1, end)), { mode, id })
    at = end + 1 + idBytes
  }
  return tree
}

export const formatTree = (tree: Tree): Buffer => {
  const named = Array.from(tree, ([name, entry]) => ({ name: pathBytes(name), ...entry }))
  named.sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  return Buffer.concat(
    named.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} `), name, Buffer.of(0), Buffer.from(id, 'hex')]),
  )
}

/** Git sorts a directory as if its name ended with a slash. */
const sortKey = ({ name, mode }: { name: Buffer; mode: string }): Buffer =>
  mode === dirMode ? Buffer.concat([name, Buffer.from('/')]) : name

interface Edit {
  /** Undefined if only paths below this one change. */
  entry?: Entry | null
  below: Map<PathText, Edit>
}

/** Applies changes to a tree; subtrees without a change are not read. */
export const editTree = async (store: TreeStore, root: string | null, changes: Changes): Promise<string> => {
  const top: Edit = { below: new Map() }
  for (const [path, entry] of changes) {
    let edit = top
    for (const name of path.split('/')) {
      const next = edit.below.get(name) ?? { below: new Map() }
      edit.below.set(name, next)
      edit = next
    }
    edit.entry = entry
  }
  return (await apply(store, root, top.below)) ?? store.writeTree(new Map())
}

/** Null when nothing is left in it. */
const apply = async (store: TreeStore, id: string | null, edits: Map<PathText, Edit>): Promise<string | null> => {
  const tree = id === null ? new Map() : await store.readTree(id)
  const change = async ([name, edit]: [PathText, Edit]): Promise<void> => {
    const entry = await applyEdit(store, tree.get(name) ?? null, edit)
    if (entry === null) tree.delete(name)
    else tree.set(name, entry)
  }
  await Promise.all([...edits].map(change))
  return tree.size === 0 ? null : store.writeTree(tree)
}

const applyEdit = async (store: TreeStore, before: Entry | null, { entry, below }: Edit): Promise<Entry | null> => {
  if (entry) return entry
  if (below.size === 0) return null
  const dir = before?.mode === dirMode ? before.id : null
  const id = await apply(store, dir, below)
  if (id !== null) return { mode: dirMode, id }
  // A file stays if the changes only delete paths below it, which do not exist.
  return entry === undefined && dir === null ? before : null
}

/** A tree with changes. Most changes are those of the last time, so it starts from the last result. */
export class EditedTree {
  #last: { root: string | null; changes: Changes; tree: string } | null = null
  /** The trees that the last edit read or wrote; the next one mostly needs the same. */
  #trees = new Map<string, Tree>()

  forget(): void {
    this.#last = null
    this.#trees.clear()
  }

  async edit(store: TreeStore, root: string | null, changes: Changes): Promise<string> {
    // A path that is no longer changed is known only to the root.
    const isMore = this.#last?.root === root && [...this.#last.changes.keys()].every((path) => changes.has(path))
    const last = isMore ? this.#last : null
    const isSame = (path: PathText, b: Entry | null): boolean => {
      const a = last?.changes.get(path)
      return a === b || (!!a && !!b && a.id === b.id && a.mode === b.mode)
    }
    const more = new Map([...changes].filter(([path, entry]) => !isSame(path, entry)))
    const from = last?.tree ?? root
    const tree = more.size === 0 && from !== null ? from : await this.#edit(store, from, more)
    this.#last = { root, changes, tree }
    return tree
  }

  async #edit(store: TreeStore, from: string | null, changes: Changes): Promise<string> {
    const [known, used] = [this.#trees, new Map<string, Tree>()]
    this.#trees = used
    const readTree = async (id: string): Promise<Tree> => {
      const tree = known.get(id) ?? (await store.readTree(id))
      used.set(id, tree)
      // A copy: it will be changed.
      return new Map(tree)
    }
    const writeTree = async (tree: Tree): Promise<string> => {
      const id = await store.writeTree(tree)
      used.set(id, tree)
      return id
    }
    return editTree({ readTree, writeTree }, from, changes)
  }
}

/** The entry of a path in a tree; null if there is none. */
export const findEntry = async (
  store: Pick<TreeStore, 'readTree'>,
  root: string,
  path: PathText,
): Promise<Entry | null> => {
  let entry: Entry = { mode: dirMode, id: root }
  for (const name of path.split('/')) {
    if (entry.mode !== dirMode) return null
    const next: Entry | undefined = (await store.readTree(entry.id)).get(name)
    if (next === undefined) return null
    entry = next
  }
  return entry
}
