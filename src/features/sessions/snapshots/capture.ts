import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SnapshotError } from './errors.ts'
import { splitNul } from './git.ts'
import { Layer, type Work, type World, withoutNulls } from './layer.ts'
import { type Look, lookAt, oddDirs, oddFiles, type Skipped, type SkipReason } from './look.ts'
import type { UsualModes } from './modes.ts'
import { isBelow, isPlainText, joined, type PathText, parentsOf, pathText } from './path-text.ts'
import { findRepository, headOf, type Standing } from './repository.ts'
import { insideOf } from './rules.ts'
import { type Scan, scanTree } from './scan.ts'
import { findEntry, type Tree, type TreeStore } from './tree.ts'

export interface Limits {
  /** Larger files are left out, and named. */
  fileBytes: number
  /** How many files, and how much in them, may be new in one snapshot: nobody means to save a whole disk. */
  files: number
  bytes: number
}

export interface CaptureOptions extends Work {
  limits: Limits
  /** Globs of ignored files that are wanted all the same. */
  include: readonly string[]
  /** Paths that are wanted whoever ignores them. */
  also: readonly PathText[]
  /** Paths that are not followed any longer. */
  drop: readonly PathText[]
  /** Objects that are surely there. */
  objects: ReadonlySet<string>
}

/** One layer as it is now: a tree of its files, and what git has no place for. Its paths begin at the layer. */
export interface Captured extends Omit<Standing, 'index'> {
  path: PathText
  files: string
  modes: Map<PathText, number>
  emptyDirs: PathText[]
  skipped: Skipped[]
  /** What its `.git` says, if that is a file. */
  gitFile: string | null
  /** What is ignored here besides the `.gitignore` files. */
  ignore: string
  repositories: Captured[]
}

/** Above this number, git itself reads the files into its index. */
const mostEdits = 500

/** Looks at a work tree, layer by layer. Whoever calls holds the lock. */
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

  /** Forgets what could be wrong: nothing is taken for known that is not read again. */
  async startAnew(): Promise<void> {
    await Promise.all([...this.#layers.values()].map(({ layer }) => layer.startAnew()))
    this.forgetObjects()
  }

  /** Objects may be gone that belonged to no snapshot any more. */
  forgetObjects(): void {
    for (const { layer } of this.#layers.values()) layer.forgetObjects()
  }

  async #capture(layer: Layer, store: TreeStore, options: CaptureOptions): Promise<Captured> {
    const ignore = await layer.prepare(options)
    await this.#drop(layer, store, options)
    const { usual } = this.#world.shadow
    const [scan, standing, gitFile] = await Promise.all([
      scanLayer(layer, usual, options),
      headOf(layer.repository),
      gitFileOf(layer),
    ])
    const { inner, skipped } = await this.#repositories(layer, scan)
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
    const files = await filesOf(layer, looks, modes, store, options)
    const repositories: Captured[] = []
    for (const one of inner) repositories.push(await this.#capture(one, store, options))
    const left = [...looks.flatMap((look) => (look.kind === 'skipped' ? [look] : [])), ...skipped]
    const { emptyDirs } = scan
    return {
      path: layer.path,
      files,
      modes,
      emptyDirs,
      skipped: left.map(asSkipped),
      gitFile,
      ignore,
      repositories,
      ...standing,
    }
  }

  async #drop(layer: Layer, store: TreeStore, { drop, signal }: CaptureOptions): Promise<void> {
    const { tree, modes } = layer.known
    const mine = drop.filter((one) => isBelow(one, layer.path)).map((one) => insideOf(layer, one))
    const known = tree === null ? [] : await knownOf(store, tree, mine)
    if (known.length === 0) return
    await layer.catchUp([], known, withoutNulls([...modes, ...known.map((one): [PathText, null] => [one, null])]), {
      signal,
    })
  }

  /** Other work trees of the same repository have a life of their own. */
  async #repositories(layer: Layer, { repositories, closed }: Scan): Promise<{ inner: Layer[]; skipped: Skipped[] }> {
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

  /** One that got another `.git` is another one. */
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

/** There may be thousands of paths in a few directories: each of these is read once. */
const knownOf = async (store: TreeStore, root: string, paths: readonly PathText[]): Promise<PathText[]> => {
  const trees = new Map<string, Tree>()
  const readTree = async (id: string): Promise<Tree> => {
    const tree = trees.get(id) ?? (await store.readTree(id))
    trees.set(id, tree)
    return tree
  }
  const known: PathText[] = []
  for (const one of paths) if ((await findEntry({ readTree }, root, one)) !== null) known.push(one)
  return known
}

const skip = (one: PathText, reason: SkipReason): Skipped => ({ path: one, reason, bytes: 0 })

const asSkipped = ({ path: one, reason, bytes }: Skipped): Skipped => ({ path: one, reason, bytes })

const gitFileOf = (layer: Layer): Promise<string | null> =>
  readFile(path.join(layer.root, '.git'), 'utf8').catch(() => null)

const scanLayer = async (layer: Layer, usual: UsualModes, { include, signal }: CaptureOptions): Promise<Scan> =>
  scanTree({
    dirs: await layer.dirs(),
    usual,
    git: layer.git,
    root: layer.root,
    index: layer.indexFile(),
    noIndex: layer.indexFile('none'),
    include: globsIn(layer, include),
    signal,
  })

/** Globs begin at the top of the tree; those that begin with `**` are at home anywhere. */
const globsIn = ({ path: dir }: Layer, globs: readonly string[]): string[] => {
  if (dir === '') return [...globs]
  const own = globs.filter((glob) => isBelow(glob, dir)).map((glob) => glob.slice(dir.length + 1))
  return [...own, ...globs.filter((glob) => glob.startsWith('**/'))]
}

/** Every path that may be another one than in the index. */
const lookAtLayer = async (layer: Layer, scan: Scan, options: CaptureOptions): Promise<Look[]> => {
  const wanted = options.also.filter((one) => isBelow(one, layer.path)).map((one) => insideOf(layer, one))
  const own = wanted.filter((one) => !scan.repositories.some((dir) => isBelow(one, dir)))
  const paths = new Set([...scan.touched, ...scan.untracked, ...own])
  refuseTooMuch(layer, scan.untracked.length, 0, options.limits)
  const looks = await lookAt(layer.root, [...paths], options.limits.fileBytes)
  const gone = scan.gone.filter((one) => !paths.has(one))
  const found = await withKnownLarge(layer, new Set(scan.touched), looks)
  const untracked = new Set(scan.untracked)
  const bytes = looks.reduce(
    (sum, look) => sum + (untracked.has(look.path) && look.kind === 'held' ? Number(look.stat.size) : 0),
    0,
  )
  refuseTooMuch(layer, untracked.size, bytes, options.limits)
  return [...found, ...gone.map((one): Look => ({ path: one, kind: 'gone' }))]
}

/** A file over the limit is held all the same if snapshots have it already and the user's repository has it, too. */
const withKnownLarge = async (layer: Layer, known: ReadonlySet<PathText>, looks: Look[]): Promise<Look[]> => {
  const large = looks.filter((look) => look.kind === 'skipped' && look.reason === 'too large' && known.has(look.path))
  if (large.length === 0 || layer.repository === null) return looks
  const args = ['ls-files', '-z', '--', ...large.map((look) => look.path).filter(isPlainText)]
  const { stdout } = await layer.repository.git(args)
  const tracked = new Set(splitNul(stdout).map(pathText))
  const held = await lookAt(layer.root, [...tracked], Number.POSITIVE_INFINITY)
  return [...looks.filter((look) => !tracked.has(look.path)), ...held]
}

const filesOf = async (
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
