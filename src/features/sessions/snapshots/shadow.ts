import { realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { ensurePrivateDir } from '../../../base/util/private-dir.ts'
import { Serial } from '../../../base/util/serial.ts'
import type { Limits } from './capture.ts'
import { Coalescing } from './coalesce.ts'
import { copyTo } from './copy.ts'
import { type Change, changesOf, editsBetween, patchBetween } from './diff.ts'
import { isFull, storageFull } from './errors.ts'
import { type Forked, forkTo } from './fork.ts'
import { collectGarbage, type Usage, usageOf } from './gc.ts'
import { createGit, type Env } from './git.ts'
import { type Held, readHeld } from './held.ts'
import type { Work, World } from './layer.ts'
import { listHeld } from './list.ts'
import { withLock } from './lock.ts'
import type { Skipped } from './look.ts'
import { ObjectStore } from './object-store.ts'
import type { PathText } from './path-text.ts'
import { adoptPlain, type Plain } from './plain.ts'
import type { Kept } from './plan.ts'
import { findRepository, type Standing } from './repository.ts'
import { type Restored as Outcome, Restorer, type RestoreOptions } from './restore.ts'
import { insideOf, layerOf } from './rules.ts'
import { keyOf, makeShadowDir, type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { clearStaging } from './staging.ts'
import { Taker } from './taker.ts'
import { findEntry, linkMode } from './tree.ts'

/**
 * The snapshots of one work tree, in a git directory of Rein's own (the shadow). These four methods are what the files
 * of this folder buy; everything else on `Shadow` reads snapshots, or carries them elsewhere.
 *
 * For all of them: the user's repository, index and settings are read, never written. One method at a time writes, over
 * all processes (a lock that the kernel releases when its holder dies). Every `SnapshotError` but `unverified` means
 * that no file of the work tree was changed.
 */
interface Snapshots {
  /**
   * Holds the work tree byte for byte: content, names of any bytes, links, permissions, empty directories, repositories
   * inside it. Ignored files are left out, except `include` and those that restoring `before` would overwrite. Whatever
   * else is left out (too large, unreadable, a socket) is named in `skipped`. Files that keep changing while they are
   * read end in `unstable`, never in a mixed state. Unchanged files are not read again.
   */
  snapshot(options?: SnapshotOptions): Promise<Taken>

  /** All paths that differ between two snapshots: content, type, permissions, empty directories. Renames are not guessed. */
  diff(a: string, b: string): Promise<Change[]>

  /**
   * Brings the work tree to a snapshot, after taking one of the current state (`before`).
   * - Nothing is touched if a file was edited since `options.since` (`edited`), or there is no room (`storage_full`).
   * - All new content is staged beside the tree first; then each path is checked again and renamed into place. At any
   *   moment, also after a kill or a power cut, every file is the old one or the new one, and `before` has the old ones.
   * - Ignored files, files that could not be saved and unknown repositories are never deleted; `kept` names them.
   * - At the end the tree is read again and compared: it is as in the snapshot, or the result is `unverified`.
   */
  restore(target: string, options: RestoreOptions): Promise<Restored>

  /** Drops all snapshots but those in `keep` and those of the last hour. A kill in the middle loses none of these. */
  gc(options: { keep: readonly string[] }): Promise<void>
}

export interface ShadowOptions {
  /** The directory with the shadows of all work trees. */
  dir: string
  /** A work tree, a directory in one, or a directory without git. */
  tree: string
  /** Globs, from the top of the tree, of ignored files that snapshots hold anyway. */
  include?: readonly string[]
  limits?: Partial<Limits>
  ports: { now(): number; env: Env }
}

/** The work tree at one moment. */
export interface Snapshot extends Standing {
  id: string
  /** Two snapshots with the same tree hold the same content. */
  tree: string
  /** The paths that were left out. */
  skipped: Skipped[]
}

/** A new snapshot, with the time that it took. */
interface Taken extends Snapshot {
  ms: number
}

interface SnapshotOptions extends Work {
  /** The snapshot to be restored next: ignored files that this would overwrite are held as well. */
  before?: string
}

interface Preview {
  now: Snapshot
  changes: Change[]
  kept: Kept[]
}

export interface Restored extends Omit<Outcome, 'before' | 'after'> {
  before: Snapshot
  after: Snapshot
}

interface HeldFile {
  kind: 'file' | 'link'
  /** The bytes of a file, or what a link points to. */
  content: Buffer
}

const usualLimits: Limits = { fileBytes: 50 * 2 ** 20, files: 500_000, bytes: 8 * 2 ** 30 }

export class Shadow implements Snapshots {
  readonly #world: World
  readonly #taker: Taker
  readonly #restorer: Restorer
  readonly #take: Coalescing<Taken>
  readonly #writes = new Serial()

  constructor(world: World, options: Pick<ShadowOptions, 'include' | 'limits'>) {
    const taking = { limits: { ...usualLimits, ...options.limits }, include: options.include ?? [] }
    this.#world = world
    this.#taker = new Taker(world)
    this.#restorer = new Restorer(world, this.#taker, taking)
    this.#take = new Coalescing(
      (begin, signal) => this.#alone(begin, signal),
      (work) => this.#timed(() => this.#taker.take({ ...taking, ...work })),
    )
  }

  /** The top of the work tree, where paths start. */
  get tree(): string {
    return this.#world.shadow.tree
  }

  snapshot({ before, ...work }: SnapshotOptions = {}): Promise<Taken> {
    if (before === undefined) return this.#take.ask(work)
    return this.#alone(() => this.#timed(() => this.#restorer.snapshotBefore(before, work)), work.signal)
  }

  same(a: string, b: string): Promise<boolean> {
    return this.#reading(async (store) => (await readHeld(store, a)).tree === (await readHeld(store, b)).tree)
  }

  diff(a: string, b: string): Promise<Change[]> {
    return this.#reading(async (store) => {
      const [from, to] = [await readHeld(store, a), await readHeld(store, b)]
      const { shadow } = this.#world
      const edits = await editsBetween(createGit(shadowPlace(shadow)), shadow.format, [from, to], { lines: true })
      return changesOf(edits, from, to)
    })
  }

  /** As `git diff` shows it. */
  patch(a: string, b: string): Promise<string> {
    return this.#reading(async (store) => {
      const { shadow } = this.#world
      const both = [await readHeld(store, a), await readHeld(store, b)] as const
      return patchBetween(createGit(shadowPlace(shadow)), shadow.format, both)
    })
  }

  /** The changes that a restore would make now. */
  preview(target: string, work: Work = {}): Promise<Preview> {
    return this.#alone(async () => {
      const { now, ...rest } = await this.#restorer.preview(target, work)
      return { ...rest, now: asSnapshot(now) }
    }, work.signal)
  }

  restore(target: string, options: RestoreOptions): Promise<Restored> {
    return this.#alone(async () => {
      const { before, after, ...rest } = await this.#restorer.restore(target, options)
      return { ...rest, before: asSnapshot(before), after: asSnapshot(after) }
    }, options.signal)
  }

  /** A file of a snapshot; null if it has none of that name. */
  read(id: string, file: PathText): Promise<HeldFile | null> {
    return this.#reading(async (store) => {
      const held = await readHeld(store, id)
      const layer = layerOf(held, file)
      const entry = await findEntry(store, layer.files, insideOf(layer, file))
      if (entry === null || !entry.mode.startsWith('1')) return null
      return { kind: entry.mode === linkMode ? 'link' : 'file', content: await store.read(entry.id, 'blob') }
    })
  }

  usage(): Promise<Usage> {
    return usageOf(this.#world.shadow.path)
  }

  gc({ keep }: { keep: readonly string[] }): Promise<void> {
    return this.#alone(() => collectGarbage(this.#world, keep))
  }

  /** Writes a snapshot into a directory of its own. */
  fork(id: string, dir: string): Promise<Forked> {
    return this.#reading(async (store) => forkTo(this.#world, await readHeld(store, id), path.resolve(dir)))
  }

  /** Lends its objects to a job that reads them, and may add to them. */
  lend<T>(work: (store: ObjectStore, dir: ShadowDir) => Promise<T>): Promise<T> {
    return this.#reading((store) => work(store, this.#world.shadow))
  }

  /** Makes snapshots of objects that `bring` adds. */
  adopt(bring: (dir: ShadowDir) => Promise<void>, plains: readonly Plain[]): Promise<Snapshot[]> {
    return this.#alone(async () => {
      await bring(this.#world.shadow)
      return (await adoptPlain(this.#world, plains)).map(asSnapshot)
    })
  }

  /** Writes a snapshot into a directory unknown to the user's repository; its own snapshots will be kept in `shadows`. */
  copy(id: string, dir: string, shadows: string): Promise<void> {
    return this.#reading(async (store) => copyTo(this.#world, await readHeld(store, id), dir, shadows))
  }

  /** A text for each path of a snapshot; the same text means the same content and mode. */
  list(id: string): Promise<Map<PathText, string>> {
    return this.#reading(async (store) => listHeld(store, await readHeld(store, id)))
  }

  /** Drops all snapshots; this object is useless afterwards. */
  forget(): Promise<void> {
    return this.#alone(() => rm(this.#world.shadow.path, { recursive: true, force: true }))
  }

  /** One after the other in this process, and one at a time over all processes. */
  #alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { path: dir } = this.#world.shadow
    return this.#writes
      .run(() => withLock(lockFile(dir), signal, work))
      .catch((cause: unknown) => {
        throw isFull(cause) ? storageFull(dir) : cause
      })
  }

  async #reading<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
    const store = new ObjectStore(this.#world.shadow)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  async #timed(take: () => Promise<Held>): Promise<Taken> {
    const startedAt = performance.now()
    return { ...asSnapshot(await take()), ms: Math.round(performance.now() - startedAt) }
  }
}

const lockFile = (dir: string): string => path.join(dir, 'lock')

const asSnapshot = ({ id, tree, skipped, head, branch, index }: Held): Snapshot => ({
  id,
  tree,
  skipped,
  head,
  branch,
  index,
})

/** Prepares the shadow of a work tree; its first snapshot reads the whole tree. */
export const openShadow = async ({ dir, tree, ports, ...options }: ShadowOptions): Promise<Shadow> => {
  const asked = await realpath(tree)
  const repository = await findRepository(asked, ports.env)
  const top = repository?.root ?? asked
  const own = path.resolve(dir, keyOf(top))
  ensurePrivateDir(path.dirname(own))
  ensurePrivateDir(own)
  const format = repository?.format ?? 'sha1'
  const world = await withLock(lockFile(own), undefined, async () => {
    const shadow = await makeShadowDir(own, top, format, ports.env)
    const made = { shadow, now: () => ports.now() }
    await clearStaging(made)
    return made
  })
  return new Shadow(world, options)
}
