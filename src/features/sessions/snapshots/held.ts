import type { Captured } from './capture.ts'
import { SnapshotError } from './errors.ts'
import type { Skipped } from './look.ts'
import type { ObjectStore } from './object-store.ts'
import { joined, type PathText } from './path-text.ts'
import type { Standing } from './repository.ts'
import { dirMode, type Entry, fileMode, type Tree } from './tree.ts'

/** One repository in a snapshot, with its place in the work tree. */
export interface HeldLayer {
  path: PathText
  files: string
  head: string | null
  ignore: string
  gitFile: string | null
}

/** A whole snapshot; all paths start at the top of the work tree. */
export interface Held extends Standing {
  id: string
  /** Two snapshots with the same tree hold the same content. */
  tree: string
  /** Outermost first. */
  layers: HeldLayer[]
  modes: Map<PathText, number>
  emptyDirs: PathText[]
  skipped: Skipped[]
}

/** What git trees cannot hold, in a blob beside the files of a layer. */
interface Sidecar {
  modes: [PathText, number][]
  emptyDirs: PathText[]
  repositories: { path: PathText; gitFile: string | null }[]
}

/** The commit message: facts that do not count when two snapshots are compared. */
interface Message extends Standing {
  version: 1
  skipped: Skipped[]
  layers: { path: PathText; head: string | null; ignore: string }[]
}

const names = { files: 'files', sidecar: 'sidecar', repositories: 'repositories' }
const byText = (a: string, b: string): number => (a < b ? -1 : 1)

/** Writes a captured tree as a commit without a parent, so that each snapshot can be dropped by itself. */
export const writeHeld = async (store: ObjectStore, top: Captured, index: string | null, at: number): Promise<Held> => {
  const layers = flatten(top)
  const tree = await writeLayer(store, top)
  const message: Message = {
    version: 1,
    head: top.head,
    branch: top.branch,
    index,
    skipped: layers.flatMap(({ path, skipped }) => skipped.map((one) => ({ ...one, path: joined(path, one.path) }))),
    layers: layers.map(({ path, head, ignore }) => ({ path, head, ignore })),
  }
  const who = `Rein <rein@localhost> ${Math.floor(at / 1000)} +0000`
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${JSON.stringify(message)}\n`
  const id = store.writeLater('commit', Buffer.from(text))
  await store.settle()
  return { id, tree, ...placeLayers(layers), ...readMessage(message) }
}

const readMessage = ({
  head,
  branch,
  index,
  skipped,
}: Message): Pick<Held, 'head' | 'branch' | 'index' | 'skipped'> => ({
  head,
  branch,
  index,
  skipped,
})

const flatten = (layer: Captured): Captured[] => [layer, ...layer.repositories.flatMap(flatten)]

type Places = Pick<Held, 'layers' | 'modes' | 'emptyDirs'>

const placeLayers = (
  layers: (HeldLayer & { modes: Iterable<[PathText, number]>; emptyDirs: PathText[] })[],
): Places => ({
  layers: layers.map(({ path, files, head, ignore, gitFile }) => ({ path, files, head, ignore, gitFile })),
  modes: new Map(
    layers.flatMap(({ path, modes }) => [...modes].map(([of, mode]) => [joined(path, of), mode] as const)),
  ),
  emptyDirs: layers.flatMap(({ path, emptyDirs }) => emptyDirs.map((dir) => joined(path, dir))),
})

const writeLayer = async (store: ObjectStore, layer: Captured): Promise<string> => {
  const prefix = layer.path === '' ? 0 : layer.path.length + 1
  const sidecar: Sidecar = {
    modes: [...layer.modes].toSorted(([a], [b]) => byText(a, b)),
    emptyDirs: layer.emptyDirs.toSorted(byText),
    repositories: layer.repositories.map(({ path, gitFile }) => ({ path: path.slice(prefix), gitFile })),
  }
  const tree: Tree = new Map<PathText, Entry>([
    [names.files, { mode: dirMode, id: layer.files }],
    [names.sidecar, { mode: fileMode, id: store.writeLater('blob', Buffer.from(JSON.stringify(sidecar))) }],
  ])
  if (layer.repositories.length > 0) {
    // Numbered as in the sidecar: their paths may contain slashes, which the name of a tree entry may not.
    const inner: Tree = new Map()
    for (const [at, one] of layer.repositories.entries())
      inner.set(String(at), { mode: dirMode, id: await writeLayer(store, one) })
    tree.set(names.repositories, { mode: dirMode, id: await store.writeTree(inner) })
  }
  return store.writeTree(tree)
}

export const readHeld = async (store: ObjectStore, id: string): Promise<Held> => {
  const text = (await readCommit(store, id)).toString()
  const tree = /^tree (\w+)$/m.exec(text)?.[1] ?? ''
  const message = JSON.parse(text.slice(text.indexOf('\n\n') + 2)) as Message
  const told = new Map(message.layers.map((layer) => [layer.path, layer]))
  const layers = await readLayer(store, tree, '', null)
  return {
    id,
    tree,
    ...placeLayers(layers.map((layer) => ({ head: null, ignore: '', ...told.get(layer.path), ...layer }))),
    ...readMessage(message),
  }
}

const readCommit = async (store: ObjectStore, id: string): Promise<Buffer> => {
  try {
    if (/^[0-9a-f]{40,64}$/.test(id)) return await store.read(id, 'commit')
  } catch (cause) {
    if (!(cause instanceof SnapshotError && cause.code === 'damaged')) throw cause
  }
  throw new SnapshotError('unknown_snapshot', `There is no snapshot ${id}; it may have been cleaned up.`)
}

type ReadLayer = Omit<HeldLayer, 'head' | 'ignore'> & Pick<Sidecar, 'modes' | 'emptyDirs'>

const readLayer = async (
  store: ObjectStore,
  id: string,
  path: PathText,
  gitFile: string | null,
): Promise<ReadLayer[]> => {
  const tree = await store.readTree(id)
  const entry = (name: string): string => tree.get(name)?.id ?? ''
  const sidecar = JSON.parse((await store.read(entry(names.sidecar), 'blob')).toString()) as Sidecar
  const { modes, emptyDirs, repositories } = sidecar
  const layers: ReadLayer[] = [{ path, gitFile, files: entry(names.files), modes, emptyDirs }]
  const inner = repositories.length > 0 ? await store.readTree(entry(names.repositories)) : new Map<string, Entry>()
  for (const [at, one] of repositories.entries())
    layers.push(...(await readLayer(store, inner.get(String(at))?.id ?? '', joined(path, one.path), one.gitFile)))
  return layers
}
