import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SnapshotError } from './errors.ts'
import { splitNul } from './git.ts'
import { Layer, type Work, type World } from './layer.ts'
import { type Look, lookAt, lookAtModes, type Skipped, type SkipReason } from './look.ts'
import { isBelow, isPlainText, joined, type PathText, pathText } from './path-text.ts'
import { findRepository, headOf, type Standing } from './repository.ts'
import { type Scan, scanTree } from './scan.ts'
import { editTree, type TreeStore } from './tree.ts'

export interface Limits {
  /** Larger files are left out, and named. */
  fileBytes: number
  /** What one snapshot may have to read at most. */
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
const ignoreFile = '.gitignore'

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

  async #capture(layer: Layer, store: TreeStore, options: CaptureOptions): Promise<Captured> {
    const ignore = await layer.prepare(options)
    await this.#drop(layer, options)
    const [scan, isFollowed, standing, gitFile] = await Promise.all([
      scanLayer(layer, options),
      followsIgnoreFile(layer, store),
      headOf(layer.repository),
      gitFileOf(layer),
    ])
    const { inner, skipped } = await this.#repositories(layer, scan)
    const looks = await lookAtLayer(layer, scan, isFollowed ? [] : [ignoreFile], options)
    const modes = mergedModes(layer, await lookAtModes(layer.root, this.#world.usual, looks, scan.emptyDirs))
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

  async #drop(layer: Layer, { drop, signal }: CaptureOptions): Promise<void> {
    const mine = drop.filter((one) => isBelow(one, layer.path)).map((one) => inside(layer, one))
    if (mine.length === 0) return
    const modes = new Map(layer.known.modes)
    for (const one of mine) modes.delete(one)
    await layer.catchUp([], mine, modes, { signal })
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
    const root = path.join(this.#world.tree, dir)
    const key = String((await lstat(path.join(root, '.git')).catch(() => null))?.ino)
    const known = this.#layers.get(dir)
    if (known?.key === key) return known.layer
    const repository = await findRepository(root, this.#world.shadow.env)
    const layer = new Layer(this.#world, dir, repository?.root === root ? repository : null)
    this.#layers.set(dir, { key, layer })
    return layer
  }
}

const inside = (layer: Layer, one: PathText): PathText => (layer.path === '' ? one : one.slice(layer.path.length + 1))

const skip = (one: PathText, reason: SkipReason): Skipped => ({ path: one, reason, bytes: 0 })

const asSkipped = ({ path: one, reason, bytes }: Skipped): Skipped => ({ path: one, reason, bytes })

const gitFileOf = (layer: Layer): Promise<string | null> =>
  readFile(path.join(layer.root, '.git'), 'utf8').catch(() => null)

const scanLayer = (layer: Layer, { include, signal }: CaptureOptions): Promise<Scan> =>
  scanTree({
    git: layer.git,
    root: layer.root,
    index: layer.indexFile(),
    noIndex: layer.indexFile('none'),
    include,
    signal,
  })

const mergedModes = (layer: Layer, found: ReadonlyMap<PathText, number | null>): Map<PathText, number> => {
  const modes = new Map(layer.known.modes)
  for (const [one, mode] of found) {
    if (mode === null) modes.delete(one)
    else modes.set(one, mode)
  }
  return modes
}

/** Every path that may be another one than in the index. */
const lookAtLayer = async (layer: Layer, scan: Scan, first: PathText[], options: CaptureOptions): Promise<Look[]> => {
  const wanted = options.also.filter((one) => isBelow(one, layer.path)).map((one) => inside(layer, one))
  const own = wanted.filter((one) => !scan.repositories.some((dir) => isBelow(one, dir)))
  const paths = new Set([...scan.touched, ...scan.untracked, ...own, ...first])
  const looks = await lookAt(layer.root, [...paths], options.limits.fileBytes)
  const gone = scan.gone.filter((one) => !paths.has(one))
  const found = await withKnownLarge(layer, new Set(scan.touched), looks)
  return [...found, ...gone.map((one): Look => ({ path: one, kind: 'gone' }))]
}

/** One that ignores itself is wanted as well: it decides what is ignored, and so what may never be deleted. */
const followsIgnoreFile = async ({ known: { tree } }: Layer, store: TreeStore): Promise<boolean> =>
  tree !== null && (await store.readTree(tree)).has(ignoreFile)

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
  const held = looks.flatMap((look) => (look.kind === 'held' ? [look] : []))
  refuseTooMuch(layer, held, options.limits)
  if (held.length > mostEdits) {
    const gone = looks.flatMap((look) => (look.kind === 'held' ? [] : [look.path]))
    await layer.catchUp(
      held.map((look) => look.path),
      gone,
      modes,
      options,
    )
  }
  const { tree } = layer.known
  const rest = held.length > mostEdits ? [] : looks
  return rest.length === 0 && tree !== null
    ? tree
    : editTree(store, tree, await layer.contents.entriesOf(rest, options.objects))
}

const refuseTooMuch = (layer: Layer, held: readonly Extract<Look, { kind: 'held' }>[], limits: Limits): void => {
  const bytes = held.reduce((sum, { stat }) => sum + Number(stat.size), 0)
  if (held.length <= limits.files && bytes <= limits.bytes) return
  const size = `${held.length} files with ${Math.round(bytes / 2 ** 20)} MiB`
  throw new SnapshotError(
    'too_large',
    `${layer.root} has ${size} that no snapshot has yet; ${limits.files} files and ${Math.round(limits.bytes / 2 ** 20)} MiB are the most. Ignore what need not be kept (.gitignore).`,
  )
}
