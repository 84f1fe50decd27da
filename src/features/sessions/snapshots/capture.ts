import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SnapshotError } from './errors.ts'
import { splitNul } from './git.ts'
import { Layer, type Work, type World, withoutNulls } from './layer.ts'
import { type Look, lookAt, oddDirs, oddFiles, type Skipped, type SkipReason } from './look.ts'

import { isBelow, isPlainText, joined, type PathText, parentsOf, pathText } from './path-text.ts'
import { findRepository, headOf, type Standing } from './repository.ts'
import { insideOf } from './rules.ts'
import { type Scan, scanTree } from './scan.ts'
import { findEntry, type Tree, type TreeStore } from './tree.ts'

export interface Limits {
  /** Larger files are left out, and named. */
  fileBytes: number
  /** The most new files, and bytes in them, of one snapshot: no one means to save a whole disk. */
  files: number
  bytes: number
}

export interface CaptureOptions extends Work {
  limits: Limits
  /** Globs of ignored files to hold anyway. */
  include: readonly string[]
  /** Ignored paths to hold anyway. */
  also: readonly PathText[]
  /** Paths to hold no longer. */
  drop: readonly PathText[]
  /** Objects that are known to exist. */
  objects: ReadonlySet<string>
}

/** One layer as it is now: a tree of its files, and what git trees cannot hold. Its paths start at the layer. */
export interface Captured extends Omit<Standing, 'index'> {
  path: PathText
  files: string
  modes: Map<PathText, number>
  emptyDirs: PathText[]
  skipped: Skipped[]
  /** The content of its `.git`, if that is a file. */
  gitFile: string | null
  /** The ignore rules besides the `.gitignore` files. */
  ignore: string
  repositories: Captured[]
}

/** Above this number, git itself reads the files into its index. */
const mostEdits = 500

/** Captures a work tree, layer by layer. The caller holds the lock. */
export class Capturer {
  readonly #world: World
  readonly #layers = new Map<PathText, { key: string; layer: Layer }>()

  constructor(world: World) {
    this.#world = world
  }

  async capture(store: TreeStore, options: CaptureOptions): Promise<Captured> {
    return this.#capture(await this.top(), store, options)
  }

  top(): Promise<Layer> {
    return this.#layerAt('')
  }

  /** Forgets everything that could be wrong, so that all files are read again. */
  async startAnew(): Promise<void> {
    await Promise.all([...this.#layers.values()].map(({ layer }) => layer.startAnew()))
    this.forgetObjects()
  }

  /** A gc may have removed objects that belong to no snapshot. */
  forgetObjects(): void {
    for (const { layer } of this.#layers.values()) layer.forgetObjects()
  }

  async #capture(layer: Layer, store: TreeStore, options: CaptureOptions): Promise<Captured> {
    const ignore = await layer.prepare(options)
    await this.#drop(layer, store, options)
    const { usual } = this.#world.shadow
    const [scan, standing, gitFile] = await Promise.all([
      layer.dirs().then((dirs) =>
        scanTree({
          dirs,
          usual,
          git: layer.git,
          root: layer.root,
          index: layer.indexFile(),
          noIndex: layer.indexFile('none'),
          include: globsInside(layer, options.include),
          signal: options.signal,
        }),
      ),
      headOf(layer.repository),
      readFile(path.join(layer.root, '.git'), 'utf8').catch(() => null),
    ])
    const { inner, skipped } = await this.#openInner(layer, scan)
    const looks = await lookAtLayer(layer, scan, options)
    const found = [
      ...looks.map((look) => look.path),
      ...[...scan.emptyDirs, ...scan.repositories].map((dir) => `${dir}/`),
    ]
    const modes = withoutNulls([
      ...layer.known.modes,
      ...oddFiles(usual, looks),
      ...scan.modes,
      ...(await oddDirs(layer.root, usual, new Set(found.flatMap(parentsOf)))),
    ])
    const files = await writeFiles(layer, looks, modes, store, options)
    const repositories: Captured[] = []
    for (const one of inner) repositories.push(await this.#capture(one, store, options))
    const left = [...looks.flatMap((look) => (look.kind === 'skipped' ? [look] : [])), ...skipped]
    return {
      path: layer.path,
      files,
      modes,
      emptyDirs: scan.emptyDirs,
      skipped: left.map(({ path: one, reason, bytes }) => ({ path: one, reason, bytes })),
      gitFile,
      ignore,
      repositories,
      ...standing,
    }
  }

  async #drop(layer: Layer, store: TreeStore, { drop, signal }: CaptureOptions): Promise<void> {
    const { tree, modes } = layer.known
    if (tree === null) return
    // Thousands of paths may lie in a few directories: each of these is read once.
    const trees = new Map<string, Tree>()
    const readTree = async (id: string): Promise<Tree> => {
      const read = trees.get(id) ?? (await store.readTree(id))
      trees.set(id, read)
      return read
    }
    const mine = drop.filter((one) => isBelow(one, layer.path)).map((one) => insideOf(layer, one))
    const known: PathText[] = []
    for (const one of mine) if ((await findEntry({ readTree }, tree, one)) !== null) known.push(one)
    if (known.length === 0) return
    await layer.catchUp([], known, withoutNulls([...modes, ...known.map((one): [PathText, null] => [one, null])]), {
      signal,
    })
  }

  /** Opens the repositories inside a layer. Other work trees of its own repository are left out: they have their own agents. */
  async #openInner(layer: Layer, { repositories, closed }: Scan): Promise<{ inner: Layer[]; skipped: Skipped[] }> {
    const [inner, skipped]: [Layer[], Skipped[]] = [[], closed.map((dir) => skip(`${dir}/`, 'unreadable'))]
    for (const dir of repositories.toSorted()) {
      const found = isPlainText(dir) ? await this.#layerAt(joined(layer.path, dir)) : null
      const isWorkTree =
        found !== null && found.repository !== null && found.repository.commonDir === layer.repository?.commonDir
      if (found === null || isWorkTree) skipped.push(skip(`${dir}/`, found === null ? 'name' : 'work tree'))
      else inner.push(found)
    }
    return { inner, skipped }
  }

  /** A directory whose `.git` was replaced is a new layer. */
  async #layerAt(dir: PathText): Promise<Layer> {
    const root = path.join(this.#world.shadow.tree, dir)
    const key = String((await lstat(path.join(root, '.git')).catch(() => null))?.ino)
    const known = this.#layers.get(dir)
    if (known?.key === key) return known.layer
    const repository = await findRepository(root, this.#world.shadow.env)
    const layer = new Layer(this.#world, dir, repository?.root === root ? repository : null)
    this.#layers.set(dir, { key, layer })
    return layer
  }
}

const skip = (one: PathText, reason: SkipReason): Skipped => ({ path: one, reason, bytes: 0 })

/** Globs start at the top of the tree; those that start with a double star match in every layer. */
const globsInside = ({ path: dir }: Layer, globs: readonly string[]): string[] => {
  if (dir === '') return [...globs]
  const own = globs.filter((glob) => isBelow(glob, dir)).map((glob) => glob.slice(dir.length + 1))
  return [...own, ...globs.filter((glob) => glob.startsWith('**/'))]
}

/** Looks at every path that may differ from the index. */
const lookAtLayer = async (layer: Layer, scan: Scan, options: CaptureOptions): Promise<Look[]> => {
  const wanted = options.also.filter((one) => isBelow(one, layer.path)).map((one) => insideOf(layer, one))
  const own = wanted.filter((one) => !scan.repositories.some((dir) => isBelow(one, dir)))
  const paths = new Set([...scan.touched, ...scan.untracked, ...own])
  refuseTooMuch(layer, scan.untracked.length, 0, options.limits)
  const looks = await lookAt(layer.root, [...paths], options.limits.fileBytes)
  const gone = scan.gone.filter((one) => !paths.has(one))
  const touched = new Set(scan.touched)
  const large = looks.filter((look) => look.kind === 'skipped' && look.reason === 'too large' && touched.has(look.path))
  let found = looks
  if (large.length > 0 && layer.repository !== null) {
    // A large file is held all the same if snapshots have it already and the user's repository tracks it.
    const args = ['ls-files', '-z', '--', ...large.map((look) => look.path).filter(isPlainText)]
    const { stdout } = await layer.repository.git(args)
    const tracked = new Set(splitNul(stdout).map(pathText))
    const held = await lookAt(layer.root, [...tracked], Number.POSITIVE_INFINITY)
    found = [...looks.filter((look) => !tracked.has(look.path)), ...held]
  }
  const untracked = new Set(scan.untracked)
  const bytes = looks.reduce(
    (sum, look) => sum + (untracked.has(look.path) && look.kind === 'held' ? Number(look.stat.size) : 0),
    0,
  )
  refuseTooMuch(layer, untracked.size, bytes, options.limits)
  return [...found, ...gone.map((one): Look => ({ path: one, kind: 'gone' }))]
}

const writeFiles = async (
  layer: Layer,
  looks: readonly Look[],
  modes: Map<PathText, number>,
  store: TreeStore,
  options: CaptureOptions,
): Promise<string> => {
  const isMuch = looks.filter(({ kind }) => kind !== 'skipped').length > mostEdits
  const pathsThat = (isHeld: boolean): PathText[] =>
    looks.filter(({ kind }) => (kind === 'held') === isHeld).map((look) => look.path)
  if (isMuch) await layer.catchUp(pathsThat(true), pathsThat(false), modes, options)
  const rest = isMuch ? [] : looks
  return layer.tree.edit(store, layer.known.tree, await layer.contents.entriesOf(rest, options.objects))
}

const refuseTooMuch = (layer: Layer, files: number, bytes: number, limits: Limits): void => {
  if (files <= limits.files && bytes <= limits.bytes) return
  const most = `${limits.files} files and ${inMiB(limits.bytes)} are the most`
  throw new SnapshotError(
    'too_large',
    `${layer.root} has ${files} files${bytes > 0 ? ` with ${inMiB(bytes)}` : ''} that no snapshot has yet; ${most}. Ignore what need not be kept (.gitignore).`,
  )
}

const inMiB = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
