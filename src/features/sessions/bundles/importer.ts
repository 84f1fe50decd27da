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

interface ImportRequest {
  file: string
  /** The directory for the files. */
  dir: string
  /** The person named the directory; it is not just the current one. */
  isNamed: boolean
  /** The person has seen what would be written. */
  isAgreed: boolean
  /** With the whole conversation; else it is not even read. */
  isFull: boolean
}

interface ImportPorts extends CheckPorts {
  shadow(root: string): Promise<Shadow>
  /** Gets a directory for each bundle. */
  quarantine: string
  newId(prefix: string): string
  /** Throws if this conversation could not continue here; before anything is written. */
  check(manifest: Manifest): Promise<void>
  /** Installs the conversation for the directory, and returns its id here. */
  takeUp(manifest: Manifest, dir: string, files: readonly ArrivingFile[]): Promise<string>
}

/** An import that is done, or waits for a person's consent. */
export interface Arriving {
  manifest: Manifest
  place: BundlePlace
  changes: FileChange[]
  review: ReviewItem[]
  /** Null if nothing was written: the person has to agree first. */
  done: Arrived | null
}

export interface Arrived {
  /** The files of each turn, by its label; `0` is before the first. */
  snapshots: Map<string, Snapshot>
  /** Null if the conversation was not imported. */
  conversation: string | null
}

/** Imports an untrusted bundle: first into a quarantine, and out of it only what passed the checks. */
export const importBundle = async (ports: ImportPorts, request: ImportRequest): Promise<Arriving> => {
  const quarantine = path.join(ports.quarantine, ports.newId('imp'))
  await mkdir(quarantine, { recursive: true, mode: 0o700 })
  try {
    return await importFrom(ports, request, quarantine)
  } finally {
    await rm(quarantine, { recursive: true, force: true })
  }
}

const importFrom = async (ports: ImportPorts, request: ImportRequest, quarantine: string): Promise<Arriving> => {
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
  const { changes, review: now } = await previewFiles(ports, place, files)
  // Files that only an earlier turn has are written when someone goes back to it.
  const last = new Set(files.all.map(keyOf))
  const earlier = files.plains.slice(0, -1).flatMap(({ label, news }) => {
    const when = label === '0' ? 'before the first turn' : `in turn ${label}`
    const items = reviewOf(news.filter((one) => !last.has(keyOf(one))))
    return items.map((one) => ({ ...one, reason: `${one.reason}, ${when}` }))
  })
  const arriving = { manifest, place, changes, review: sortReview([...now, ...earlier]) }
  if (!request.isAgreed && (place.kind === 'clone' || arriving.review.length > 0)) return { ...arriving, done: null }
  const snapshots = await writeFiles(ports, place, files)
  const conversation = request.isFull ? await ports.takeUp(manifest, place.dir, bundle.conversation) : null
  return { ...arriving, done: { snapshots, conversation } }
}

/** The changes that an import would make, and those that a person should review. */
const previewFiles = async (
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
  const id = target?.id ?? ''
  const held = await shadow.snapshot()
  const unknown = new Set((await shadow.diff(held.id, id)).flatMap((one) => (one.kind === 'added' ? [one.path] : [])))
  const { changes } = await shadow.preview(id)
  // Git could not bring back a file that it ignores, so such a file is never overwritten.
  const lost = changes.filter(({ path: one, kind }) => kind !== 'added' && unknown.has(one)).map((one) => one.path)
  if (lost.length > 0)
    throw new ReinError(
      'refused',
      `The bundle has files that git ignores here: ${lost.slice(0, 5).join(', ')}.`,
      'Move yours away.',
    )
  const found = new Map(leaves.map((one) => [one.path, one]))
  // A deleted file is in no tree of the bundle, but its absence can change what runs, too.
  const changed = changes.map(({ path: one }) => found.get(one) ?? { path: one, mode: '', isProgram: false })
  return { changes, review: reviewOf(changed) }
}

const keyOf = ({ path: one, mode, id }: FoundPath): string => `${mode} ${id} ${one}`

/** Rein itself writes the files, path by path, and verifies them: git checks nothing out. */
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
