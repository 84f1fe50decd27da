import { Applier } from './apply.ts'
import { type Change, changesOf } from './diff.ts'
import { SnapshotError } from './errors.ts'
import { findFile, type KnownDirs } from './find-file.ts'
import { editsOf, type Finding, findWay, ignoredBy, type Way } from './find-way.ts'
import { throwIfAborted } from './git.ts'
import { type Held, readHeld } from './held.ts'
import type { Work, World } from './layer.ts'
import { gitModeOf } from './modes.ts'
import { ObjectStore } from './object-store.ts'
import { inParallel } from './parallel.ts'
import { type PathText, parentsOf, pathAt } from './path-text.ts'
import type { Kept } from './plan.ts'
import { insideOf, layerOf } from './rules.ts'
import { flush } from './shadow-dir.ts'
import { clearStaging, stage } from './staging.ts'
import type { TakeOptions, Taker } from './taker.ts'
import { dirMode, type Entry, findEntry, linkMode } from './tree.ts'
import { unverifiable, verifyRestore } from './verify.ts'

interface Preview {
  /** The state that the preview starts from. */
  now: Held
  changes: Change[]
  kept: Kept[]
}

export interface Restored {
  /** The state before, and the one that was found afterwards. */
  before: Held
  after: Held
  written: number
  removed: number
  kept: Kept[]
  /** Repositories in the tree that have their files again, but whose own git directory was deleted. */
  withoutGit: { path: PathText; head: string | null }[]
}

export interface RestoreOptions extends Work {
  /** The safety snapshot: the restore refuses if a file has changed since. */
  since: string
  /** Restores even then; the state before is a snapshot as well. */
  evenIfEdited?: boolean
}

const atOnce = 16
/** The clock of a file system may be this much behind. */
const tickMs = 20

/** Brings a work tree back to a snapshot. The caller holds the lock. */
export class Restorer {
  readonly #world: World
  readonly #finding: Finding

  constructor(world: World, taker: Taker, options: TakeOptions) {
    this.#world = world
    this.#finding = { world, taker, options }
  }

  /** Takes a snapshot that also holds the ignored files that a restore of the target would overwrite. */
  snapshotBefore(target: string, work: Work): Promise<Held> {
    return this.#withStore(async (store) => (await this.#findWay(store, target, work)).now)
  }

  preview(target: string, work: Work): Promise<Preview> {
    return this.#withStore(async (store) => {
      const { now, target: held, edits, plan } = await this.#findWay(store, target, work, { lines: true })
      const kept = new Set(plan.kept.map((one) => one.path))
      return { now, changes: changesOf(edits, now, held).filter((one) => !kept.has(one.path)), kept: plan.kept }
    })
  }

  restore(target: string, options: RestoreOptions): Promise<Restored> {
    return this.#withStore(async (store) => {
      await clearStaging(this.#world)
      const way = await this.#findWay(store, target, options)
      if (options.evenIfEdited !== true) await this.#refuseEdited(store, options.since, way)
      try {
        return await this.#carryOut(store, way, options)
      } finally {
        await clearStaging(this.#world)
      }
    })
  }

  async #carryOut(store: ObjectStore, way: Way, work: Work): Promise<Restored> {
    const { now, target, plan } = way
    const staged = await stage(this.#world, store, target, plan.writes, work)
    const isAsSaved = this.#isAsSaved(store, way)
    const edited: PathText[] = []
    await inParallel([...plan.writes.keys(), ...plan.removals], atOnce, async (one) => {
      if (!(await isAsSaved(one))) edited.push(one)
    })
    if (edited.length > 0) throw editedMeanwhile(edited)
    throwIfAborted(work.signal)
    // From here on, only the snapshot holds the current state.
    await flush(this.#world.shadow)
    const restoring = {
      now,
      target,
      plan,
      staged,
      // Not the one from above, which remembers directories as they were before the flush.
      isAsSaved: this.#isAsSaved(store, way),
      hasDir: this.#hasDir(store, target),
    }
    try {
      const failed = await new Applier(this.#world, restoring).apply()
      const { after, kept } = await verifyRestore(this.#finding, store, way, failed)
      const withoutGit: Restored['withoutGit'] = []
      for (const { path, head } of target.layers.filter((layer) => layer.path !== ''))
        if ((await findFile(this.#world.shadow.tree, `${path}/.git`)) === null) withoutGit.push({ path, head })
      return { before: now, after, written: plan.writes.size, removed: plan.removals.size, kept, withoutGit }
    } catch (cause) {
      // All other problem codes promise that no file was changed, so every failure here becomes `unverified`.
      throw cause instanceof SnapshotError && cause.code === 'unverified' ? cause : unverifiable(cause, now.id)
    }
  }

  #findWay(store: ObjectStore, id: string, { signal }: Work, how = { lines: false }): Promise<Way> {
    const { options, ...finding } = this.#finding
    return findWay({ ...finding, options: { ...options, signal } }, store, id, how)
  }

  async #refuseEdited(store: ObjectStore, since: string, { now }: Way): Promise<void> {
    const safe = await readHeld(store, since)
    if (safe.tree === now.tree) return
    const changes = changesOf(await editsOf(this.#world, safe, now), safe, now)
    // Ignored files that only this snapshot holds, for safety, are not new.
    const known = new Set(changes.filter(({ kind }) => kind === 'added').map((one) => one.path))
    const ignored = known.size === 0 ? known : await ignoredBy(this.#world, store, [...known], [now])
    const edited = changes.map((one) => one.path).filter((one) => !ignored.has(one))
    if (edited.length > 0) throw editedMeanwhile(edited)
  }

  /** A file that was not touched since the snapshot began is unchanged; any other is read again. */
  #isAsSaved(store: ObjectStore, { startedAt, edits }: Way): (one: PathText) => Promise<boolean> {
    const known: KnownDirs = new Map()
    return async (one) => {
      const saved = edits.get(one)?.from ?? null
      const found = await findFile(this.#world.shadow.tree, one, known)
      if (found === null || found.isDirectory()) return true
      if (saved === null || !(found.isFile() || found.isSymbolicLink())) return false
      if (found.ctimeMs < startedAt - tickMs) return true
      const file = pathAt(this.#world.shadow.tree, one)
      const entry: Entry = found.isSymbolicLink()
        ? { mode: linkMode, id: await store.writer.writeLink(file) }
        : { mode: gitModeOf(found.mode), id: await store.writer.writeFile(file, new Set([saved.id])) }
      return entry.mode === saved.mode && entry.id === saved.id
    }
  }

  /** Whether a snapshot has a directory; one with nothing but ignored files is not in it. */
  #hasDir(store: ObjectStore, held: Held): (dir: PathText) => Promise<boolean> {
    const known = new Set(
      [...held.emptyDirs, ...held.layers.map(({ path }) => path)].flatMap((one) => [one, ...parentsOf(one)]),
    )
    return async (dir) => {
      if (known.has(dir)) return true
      const layer = layerOf(held, dir)
      return (await findEntry(store, layer.files, insideOf(layer, dir)))?.mode === dirMode
    }
  }

  async #withStore<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
    const store = new ObjectStore(this.#world.shadow)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
}

const editedMeanwhile = (paths: readonly PathText[]): SnapshotError =>
  new SnapshotError(
    'edited',
    `${paths.length} paths were edited in the meantime: ${paths.slice(0, 5).join(', ')}. No file was changed; look at them, and try again.`,
    paths,
  )
