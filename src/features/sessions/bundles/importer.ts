import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import type { FileChange } from '../../../contract/routes/sessions.ts'
import type { ArrivingFile } from '../../../drivers/contract.ts'
import type { Shadow, Snapshot } from '../snapshots/shadow.ts'
import { dirMode } from '../snapshots/tree.ts'
import type { FoundPath } from './check-trees.ts'
import { bring, type CheckedFiles, type CheckPorts, checkFiles } from './checked-files.ts'
import type { Manifest } from './manifest.ts'
import { openBundle } from './open-bundle.ts'
import { type BundlePlace, findPlace } from './place.ts'
import { type ReviewItem, reviewOf, sortReview } from './review.ts'

export interface ImportRequest {
  file: string
  /** Where the files are to be. */
  dir: string
  /** Somebody has said so, and it is not just where they are. */
  isNamed: boolean
  /** Somebody has seen what is to be written. */
  isAgreed: boolean
  /** With its whole conversation; else that is not even read. */
  isFull: boolean
}

export interface ImportPorts extends CheckPorts {
  shadow(root: string): Promise<Shadow>
  /** Where a directory of its own can be made for each bundle. */
  quarantine: string
  newId(prefix: string): string
  /** Throws where this conversation could not go on; before anything is written. */
  check(manifest: Manifest): Promise<void>
  /** Takes up the conversation where the files are now, and tells its id here. */
  takeUp(manifest: Manifest, dir: string, files: readonly ArrivingFile[]): Promise<string>
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
  /** Null if it is not taken up. */
  conversation: string | null
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
  const clone = place.kind === 'clone' ? place.repository : null
  const checked = await checkFiles(ports, bundle, clone, quarantine)
  // Without the conversation there is no turn to go back to.
  const files = request.isFull ? checked : { ...checked, plains: checked.plains.slice(-1) }
  const { changes, review: now } = await outlook(ports, place, files)
  const arriving = { manifest, place, changes, review: sortReview([...now, ...reviewOfEarlier(files)]) }
  if (!request.isAgreed && (place.kind === 'clone' || arriving.review.length > 0)) return { ...arriving, done: null }
  const snapshots = await writeFiles(ports, place, files)
  const conversation = request.isFull ? await ports.takeUp(manifest, place.dir, bundle.conversation) : null
  return { ...arriving, done: { snapshots, conversation } }
}

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
  const found = new Map(leaves.map((one) => [one.path, one]))
  // One that goes is in no tree of theirs, and steered something, too.
  const changed = changes.map(({ path: one }) => found.get(one) ?? { path: one, mode: '', isProgram: false })
  return { changes, review: reviewOf(changed) }
}

const keyOf = ({ path: one, mode, id }: FoundPath): string => `${mode} ${id} ${one}`

/** What the last turn has not is written when somebody goes back to the one that has it. */
const reviewOfEarlier = ({ plains, all }: CheckedFiles): ReviewItem[] => {
  const last = new Set(all.map(keyOf))
  return plains.slice(0, -1).flatMap(({ label, news }) => {
    const when = label === '0' ? 'before the first turn' : `in turn ${label}`
    const items = reviewOf(news.filter((one) => !last.has(keyOf(one))))
    return items.map((one) => ({ ...one, reason: `${one.reason}, ${when}` }))
  })
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

/** Written by Rein itself, path by path, and looked at again afterwards: git checks nothing out. */
const writeFiles = async (
  ports: ImportPorts,
  { dir }: BundlePlace,
  files: CheckedFiles,
): Promise<Map<string, Snapshot>> => {
  const isNew = !existsSync(dir)
  await mkdir(dir, { recursive: true })
  if (files.plains.length === 0) return new Map()
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
