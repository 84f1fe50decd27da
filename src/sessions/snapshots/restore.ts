import { lstat } from 'node:fs/promises'
import { Applier } from './apply.ts'
import { type Change, changesOf, type Edits, editsBetween, oddPaths } from './diff.ts'
import { isAbsent, SnapshotError } from './errors.ts'
import { createGit } from './git.ts'
import { type Held, readHeld } from './held.ts'
import type { Work, World } from './layer.ts'
import { gitModeOf } from './modes.ts'
import { ObjectStore } from './object-store.ts'
import { filesAt, withoutBlocked } from './obstacles.ts'
import { type PathText, parentsOf, pathAt } from './path-text.ts'
import { type Kept, type Plan, planRestore } from './plan.ts'
import { ignoredIn } from './rules.ts'
import { shadowPlace } from './shadow-dir.ts'
import { clearStaging, stage } from './staging.ts'
import type { TakeOptions, Taker } from './taker.ts'
import { type Entry, linkMode } from './tree.ts'

export interface Preview {
  /** The state that it was made for. */
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
}

export interface RestoreOptions extends Work {
  /** The snapshot that was taken for safety: what has changed since then is not overwritten. */
  since: string
  /** Unless this is wanted; the state before is a snapshot as well. */
  evenIfEdited?: boolean
}

/** The way from how things are now to a snapshot. */
interface Way {
  startedAt: number
  now: Held
  target: Held
  edits: Edits
  plan: Plan
}

/** A clock of a file system may be this much behind. */
const tickMs = 20

/** Brings a work tree back to a snapshot. Whoever calls holds the lock. */
export class Restorer {
  readonly #world: World
  readonly #taker: Taker
  readonly #options: TakeOptions

  constructor(world: World, taker: Taker, options: TakeOptions) {
    this.#world = world
    this.#taker = taker
    this.#options = options
  }

  /** A snapshot that also has what is ignored, but would be written over on the way to the target. */
  snapshotBefore(target: string, work: Work): Promise<Held> {
    return this.#withStore(async (store) => (await this.#findWay(store, target, work, false)).now)
  }

  preview(target: string, work: Work): Promise<Preview> {
    return this.#withStore(async (store) => {
      const { now, target: held, edits, plan } = await this.#findWay(store, target, work, true)
      const kept = new Set(plan.kept.map((one) => one.path))
      return { now, changes: changesOf(edits, now, held).filter((one) => !kept.has(one.path)), kept: plan.kept }
    })
  }

  restore(target: string, options: RestoreOptions): Promise<Restored> {
    return this.#withStore(async (store) => {
      await clearStaging(this.#world)
      const way = await this.#findWay(store, target, options, false)
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
    const isAsSaved = (one: PathText): Promise<boolean> => this.#isAsSaved(store, way, one)
    await this.#refuseChanged([...plan.writes.keys(), ...plan.removals], isAsSaved)
    const failed = await new Applier(this.#world, { now, target, plan, staged, isAsSaved }).apply()
    const after = await this.#taker.take({
      ...this.#options,
      also: [...plan.writes.keys()],
      drop: plan.kept.filter(({ reason }) => reason === 'ignored').map((one) => one.path),
      objects: new Set([...plan.writes.values()].map((entry) => entry.id)),
    })
    if (after.tree !== target.tree) await this.#verify(after, way, failed)
    return { before: now, after, written: plan.writes.size, removed: plan.removals.size, kept: plan.kept }
  }

  async #findWay(store: ObjectStore, id: string, { signal }: Work, lines: boolean): Promise<Way> {
    const target = await readHeld(store, id)
    const startedAt = this.#world.now()
    const options = { ...this.#options, signal }
    let now = await this.#taker.take(options)
    let edits = await this.#edits(now, target, lines)
    const also = await filesAt(
      this.#world.tree,
      pathsOf(edits, ({ from }) => from === null),
    )
    if (also.length > 0) {
      now = await this.#taker.take({ ...options, also })
      edits = await this.#edits(now, target, lines)
    }
    const ignored = await this.#ignored(
      store,
      pathsOf(edits, ({ to }) => to === null),
      [now, target],
    )
    const plan = await withoutBlocked(this.#world.tree, planRestore(edits, now, target, ignored))
    return { startedAt, now, target, edits, plan }
  }

  #edits(a: Held, b: Held, lines: boolean): Promise<Edits> {
    const { shadow } = this.#world
    return editsBetween(createGit(shadowPlace(shadow)), shadow.format, [a, b], { lines })
  }

  /** By the rules of either: an agent may have deleted those that kept the user's secrets out of its snapshots. */
  async #ignored(store: ObjectStore, paths: PathText[], rules: readonly Held[]): Promise<Set<PathText>> {
    const ignored = new Set<PathText>()
    if (paths.length === 0) return ignored
    for (const held of rules)
      for (const one of await ignoredIn(this.#world.shadow, store, held, paths)) ignored.add(one)
    return ignored
  }

  async #refuseEdited(store: ObjectStore, since: string, { now }: Way): Promise<void> {
    const safe = await readHeld(store, since)
    if (safe.tree === now.tree) return
    const changes = changesOf(await this.#edits(safe, now, false), safe, now)
    // What only this snapshot has for safety was there before as well.
    const known = new Set(changes.filter(({ kind }) => kind === 'added').map((one) => one.path))
    const ignored = known.size === 0 ? known : await this.#ignored(store, [...known], [now])
    const edited = changes.map((one) => one.path).filter((one) => !ignored.has(one))
    if (edited.length > 0) throw editedMeanwhile(edited)
  }

  async #refuseChanged(paths: readonly PathText[], isAsSaved: (one: PathText) => Promise<boolean>): Promise<void> {
    const edited: PathText[] = []
    for (const one of paths) if (!(await isAsSaved(one))) edited.push(one)
    if (edited.length > 0) throw editedMeanwhile(edited)
  }

  /** What was not touched since the snapshot began is as it was; anything else is read once more. */
  async #isAsSaved(store: ObjectStore, { startedAt, edits }: Way, one: PathText): Promise<boolean> {
    const file = pathAt(this.#world.tree, one)
    const saved = edits.get(one)?.from ?? null
    const found = await lstat(file).catch((cause: unknown) => {
      if (isAbsent(cause)) return null
      throw cause
    })
    if (found === null || found.isDirectory()) return true
    if (saved === null) return false
    if (found.ctimeMs < startedAt - tickMs) return true
    const entry: Entry = found.isSymbolicLink()
      ? { mode: linkMode, id: await store.writer.writeLink(file) }
      : { mode: gitModeOf(found.mode), id: await store.writer.writeFile(file, new Set([saved.id])) }
    return entry.mode === saved.mode && entry.id === saved.id
  }

  async #verify(after: Held, { now, target, plan }: Way, failed: readonly PathText[]): Promise<void> {
    const edits = await this.#edits(after, target, false)
    const kept = new Set(plan.kept.flatMap(({ path }) => [path, ...parentsOf(path)]))
    const emptyDirs = await this.#wrongDirs(after, target)
    // Permissions of directories are only known where something else changed, so they prove nothing.
    const modes = oddPaths(after, target).filter((one) => !one.endsWith('/'))
    const wrong = [...edits.keys(), ...emptyDirs, ...modes].filter((one) => !kept.has(one))
    if (wrong.length === 0) return
    const paths = [...new Set([...wrong, ...failed])]
    throw new SnapshotError(
      'unverified',
      `${paths.length} paths are not as in the snapshot: ${paths.slice(0, 5).join(', ')}. All others are; the state before is snapshot ${now.id}.`,
      paths,
    )
  }

  async #wrongDirs(after: Held, target: Held): Promise<PathText[]> {
    const missing: PathText[] = []
    for (const dir of target.emptyDirs) {
      const found = await lstat(pathAt(this.#world.tree, dir)).catch(() => null)
      if (found?.isDirectory() !== true) missing.push(dir)
    }
    return [...missing, ...after.emptyDirs.filter((dir) => !target.emptyDirs.includes(dir))]
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

const pathsOf = (edits: Edits, test: (edit: { from: Entry | null; to: Entry | null }) => boolean): PathText[] =>
  [...edits].filter(([, edit]) => test(edit)).map(([one]) => one)

const editedMeanwhile = (paths: readonly PathText[]): SnapshotError =>
  new SnapshotError(
    'edited',
    `${paths.length} paths were edited in the meantime: ${paths.slice(0, 5).join(', ')}. No file was changed; look at them, and try again.`,
    paths,
  )
