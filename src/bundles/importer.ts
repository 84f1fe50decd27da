import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../contract/errors.ts'
import type { FileChange, SessionProgress } from '../contract/session-api-types.ts'
import type { CarriedFile } from '../drivers/contract.ts'
import type { Env, Git } from '../sessions/snapshots/git.ts'
import { ObjectStore } from '../sessions/snapshots/object-store.ts'
import type { Plain } from '../sessions/snapshots/plain.ts'
import type { Shadow, Snapshot } from '../sessions/snapshots/shadow.ts'
import { dirMode } from '../sessions/snapshots/tree.ts'
import { noBase, readBase } from './base-tree.ts'
import { type FoundPath, fitting, TreeChecker } from './check-trees.ts'
import { hostile } from './limits.ts'
import { type BundleFiles, type Manifest, treesOf } from './manifest.ts'
import { openBundle } from './open-bundle.ts'
import { packTrees, quarantinePack } from './packs.ts'
import { type BundlePlace, findPlace } from './place.ts'
import { type ReviewItem, reasonToReview, reviewOf } from './review.ts'

export interface ImportRequest {
  file: string
  /** Where the files are to be. */
  dir: string
  /** Somebody has said so, and it is not just where they are. */
  isNamed: boolean
  /** Somebody has seen what is to be written. */
  isAgreed: boolean
}

export interface ImportPorts {
  shadow(root: string): Promise<Shadow>
  /** Where a directory of its own can be made for each bundle. */
  quarantine: string
  newId(prefix: string): string
  env: Env
  onProgress(progress: SessionProgress): void
  /** Throws where this conversation could not go on; before anything is written. */
  check(manifest: Manifest): Promise<void>
}

/** Files that are written now, or would be. */
export interface Arriving {
  manifest: Manifest
  place: BundlePlace
  changes: FileChange[]
  review: ReviewItem[]
  /** Null if nothing was written: somebody has to agree first. */
  done: Arrived | null
}

export interface Arrived {
  /** The files of each turn, by its label; `0` is before the first. */
  snapshots: Map<string, Snapshot>
  conversation: CarriedFile[]
}

/** Takes a bundle of somebody else's: first into a quarantine, and out of it only what was looked at. */
export const importBundle = async (ports: ImportPorts, request: ImportRequest): Promise<Arriving> => {
  const quarantine = path.join(ports.quarantine, ports.newId('imp'))
  await mkdir(quarantine, { recursive: true, mode: 0o700 })
  try {
    return await takeIn(ports, request, quarantine)
  } finally {
    await rm(quarantine, { recursive: true, force: true })
  }
}

const takeIn = async (ports: ImportPorts, request: ImportRequest, quarantine: string): Promise<Arriving> => {
  const bundle = await openBundle(request.file, quarantine, (done, total) =>
    ports.onProgress({ what: 'reading the bundle', done, total }),
  )
  const { manifest } = bundle
  await ports.check(manifest)
  const place = await findPlace(manifest, request.dir, request.isNamed, ports.env)
  const files = await checkFiles(ports, manifest, bundle.pack, place, quarantine)
  const last = files.plains.at(-1)
  const arriving = { manifest, place, ...(await outlook(ports, place, files)) }
  if (!request.isAgreed && (place.kind === 'clone' || arriving.review.length > 0)) return { ...arriving, done: null }
  const snapshots = last === undefined ? new Map<string, Snapshot>() : await writeFiles(ports, place, files)
  return { ...arriving, done: { snapshots, conversation: await bundle.conversation() } }
}

/** What was found to be sound. */
interface CheckedFiles {
  /** The files of each turn that has any, in their order; the last are those that are written. */
  plains: { label: string; plain: Plain }[]
  /** All of the last. */
  all: FoundPath[]
  git: Git | null
}

const checkFiles = async (
  ports: ImportPorts,
  manifest: Manifest,
  pack: string | null,
  place: BundlePlace,
  quarantine: string,
): Promise<CheckedFiles> => {
  const told = [{ label: '0', files: manifest.start }, ...manifest.turns].filter(hasFiles)
  if (pack === null && told.length > 0) throw hostile('it has no pack of its files')
  if (pack === null) return { plains: [], all: [], git: null }
  ports.onProgress({ what: 'looking at the files', done: 0, total: 0 })
  const repository = place.kind === 'clone' && manifest.base !== null ? place.repository : null
  const { git, shadow } = await quarantinePack(pack, quarantine, repository?.objects ?? null, ports.env)
  const base = repository === null || manifest.base === null ? noBase : await readBase(repository.git, manifest.base)
  const store = new ObjectStore(shadow)
  try {
    const checker = new TreeChecker(store, base)
    for (const tree of treesOf(told.map(({ files }) => files))) await checker.check(tree)
    const plains: CheckedFiles['plains'] = []
    let all: FoundPath[] = []
    for (const { label, files } of told) {
      all = await checker.all(files.tree)
      plains.push({
        label,
        plain: { ...fitting(files, all), files: files.tree, head: files.head, branch: files.branch },
      })
    }
    return { plains, all, git }
  } catch (cause) {
    throw cause instanceof ReinError ? cause : hostile('a part of its files is missing')
  } finally {
    await store.close()
  }
}

const hasFiles = (one: { label: string; files: BundleFiles | null }): one is { label: string; files: BundleFiles } =>
  one.files !== null

/** What would become of the files that are there, and what of it a person should look at. */
const outlook = async (
  ports: ImportPorts,
  place: BundlePlace,
  files: CheckedFiles,
): Promise<Pick<Arriving, 'changes' | 'review'>> => {
  const leaves = files.all.filter(({ mode }) => mode !== dirMode)
  if (place.kind === 'empty') {
    const changes = leaves.map(({ path: one }) => ({
      path: one,
      kind: 'added' as const,
      added: null,
      removed: null,
      isBinary: false,
    }))
    return { changes, review: reviewOf(leaves) }
  }
  const last = files.plains.at(-1)
  if (last === undefined) return { changes: [], review: [] }
  const shadow = await ports.shadow(place.dir)
  const [target] = await shadow.adopt((dir) => bring(files, dir.objects, [last.plain]), [last.plain])
  const changes = await changesIn(shadow, target?.id ?? '')
  const modes = new Map(leaves.map(({ path: one, mode }) => [one, mode]))
  const review = changes.flatMap(({ path: one }) => {
    const reason = reasonToReview(one, modes.get(one) ?? '')
    return reason === null ? [] : [{ path: one, reason }]
  })
  return { changes, review }
}

/** What git does not know could not be brought back by it: such a file is never written over. */
const changesIn = async (shadow: Shadow, target: string): Promise<FileChange[]> => {
  const now = await shadow.snapshot()
  const unknown = new Set(
    (await shadow.diff(now.id, target)).filter(({ kind }) => kind === 'added').map((one) => one.path),
  )
  const { changes } = await shadow.preview(target)
  const lost = changes.filter(({ path: one, kind }) => kind !== 'added' && unknown.has(one)).map((one) => one.path)
  if (lost.length === 0) return changes
  throw new ReinError(
    'refused',
    `The bundle has files that git ignores here: ${lost.slice(0, 5).join(', ')}.`,
    'Move yours away.',
  )
}

/** All objects that snapshots need, also those that were not in the bundle. */
const bring = async ({ git }: CheckedFiles, objects: string, plains: readonly Plain[]): Promise<void> => {
  if (git === null) return
  const trees = [...new Set(plains.map(({ files }) => files))]
  await packTrees(git, trees, null, path.join(objects, 'pack'), 'fast')
}

/** Written by Rein itself, path by path, and looked at again afterwards: git checks nothing out. */
const writeFiles = async (
  ports: ImportPorts,
  { dir }: BundlePlace,
  files: CheckedFiles,
): Promise<Map<string, Snapshot>> => {
  const isNew = !existsSync(dir)
  await mkdir(dir, { recursive: true })
  try {
    const shadow = await ports.shadow(dir)
    const plains = files.plains.map(({ plain }) => plain)
    const snapshots = await shadow.adopt((own) => bring(files, own.objects, plains), plains)
    const target = snapshots.at(-1)?.id ?? ''
    const { id: since } = await shadow.snapshot({ before: target })
    await shadow.restore(target, {
      since,
      onProgress: ({ done, total }) => ports.onProgress({ what: 'writing the files', done, total }),
    })
    return new Map(snapshots.map((one, at) => [files.plains[at]?.label ?? '', one]))
  } catch (cause) {
    if (isNew) await rm(dir, { recursive: true, force: true })
    throw cause
  }
}
