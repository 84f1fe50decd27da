import { chmod, copyFile, lstat, mkdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { oddPaths } from './diff.ts'
import { removeEmptyDirs } from './empty-dirs.ts'
import { codeOf, isAbsent } from './errors.ts'
import { findFile } from './find-file.ts'
import type { Held } from './held.ts'
import { stagingName, type World } from './layer.ts'
import { isProgram, permissionBits } from './modes.ts'
import { inParallel } from './parallel.ts'
import { isBelow, joined, type PathText, parentsOf, pathAt } from './path-text.ts'
import { inTheWay, type Plan } from './plan.ts'

const atOnce = 16

interface Restoring {
  now: Held
  target: Held
  plan: Plan
  /** The file with the new content of each path to write. */
  staged: ReadonlyMap<PathText, string>
  /** Whether a path is still as in the snapshot of now. */
  isAsSaved(path: PathText): Promise<boolean>
  /** Whether the target has this directory. */
  hasDir(path: PathText): Promise<boolean>
}

/** Carries out a plan. At any moment every file is either the old one or the new one, and a failure does not stop the rest. */
export class Applier {
  readonly #world: World
  readonly #restoring: Restoring
  readonly #failed: PathText[] = []
  readonly #madeDirs = new Set<PathText>()
  /** Directories that had to be opened for writing, with the permissions they had. */
  readonly #opened = new Map<PathText, number>()

  constructor(world: World, restoring: Restoring) {
    this.#world = world
    this.#restoring = restoring
  }

  /** Returns the paths that failed. */
  async apply(): Promise<PathText[]> {
    const { plan, staged, now, target } = this.#restoring
    const first = inTheWay(plan)
    await this.#each(first, (one) => this.#remove(one))
    await this.#each(outermostFirst(staged.keys()), (dir) => this.#makeDir(dir), 1)
    await this.#each(staged.keys(), (one) => this.#write(one, staged.get(one) ?? ''))
    await this.#each(
      [...plan.removals].filter((one) => !first.has(one)),
      (one) => this.#remove(one),
    )
    await this.#removeDirs()
    await this.#each(outermostFirst(target.emptyDirs.map((dir) => `${dir}/`)), (dir) => this.#makeDir(dir), 1)
    const gitFiles = new Map(target.layers.flatMap(({ path: dir, gitFile }) => (dir === '' ? [] : [[dir, gitFile]])))
    await this.#each(gitFiles.keys(), async (dir) => {
      const text = gitFiles.get(dir) ?? null
      if (text === null) return
      await writeFile(this.#at(`${dir}/.git`), text, { flag: 'wx' }).catch((cause: unknown) => {
        if (codeOf(cause) !== 'EEXIST') throw cause
      })
    })
    const kept = new Set(plan.kept.map((one) => one.path))
    const made = [...this.#madeDirs].map((dir) => `${dir}/`).filter((dir) => target.modes.has(dir))
    const modes = [...new Set([...oddPaths(now, target), ...made])].filter(
      (one) => !plan.writes.has(one) && !kept.has(one),
    )
    await this.#each(innermostFirst(modes), (one) => this.#setMode(one), 1)
    await this.#each(this.#opened.keys(), (dir) =>
      chmod(this.#at(dir), this.#opened.get(dir) ?? this.#world.shadow.usual.dir).catch((cause: unknown) => {
        if (!isAbsent(cause)) throw cause
      }),
    )
    return this.#failed
  }

  async #each(paths: Iterable<PathText>, work: (one: PathText) => Promise<void>, limit = atOnce): Promise<void> {
    await inParallel(paths, limit, (one) => work(one).catch(() => void this.#failed.push(one)))
  }

  async #remove(one: PathText): Promise<void> {
    if ((await findFile(this.#world.shadow.tree, one)) === null) return
    if (!(await this.#restoring.isAsSaved(one))) throw new Error('It was edited.')
    await this.#opening(one, () => unlink(this.#at(one)))
  }

  async #write(one: PathText, staged: string): Promise<void> {
    if (!(await this.#isRealDir(parentsOf(one).at(-1))))
      throw new Error('Something else has taken the place of its directory.')
    if (!(await this.#restoring.isAsSaved(one))) throw new Error('It was edited.')
    const move = (): Promise<void> => this.#opening(one, () => rename(staged, this.#at(one)))
    await move().catch(async (cause: unknown) => {
      if (codeOf(cause) === 'EXDEV') {
        // Another file system is mounted inside the tree, so the file is copied there first.
        const beside = this.#at(joined(parentsOf(one).at(-1) ?? '', `${stagingName}-${path.basename(staged)}`))
        await copyFile(staged, beside)
        return rename(beside, this.#at(one))
      }
      if (codeOf(cause) !== 'EISDIR') throw cause
      await removeEmptyDirs(this.#at(one))
      await move()
    })
  }

  /** A symbolic link could lead anywhere, so only real directories count. */
  async #isRealDir(dir: PathText | undefined): Promise<boolean> {
    return dir === undefined || (await findFile(this.#world.shadow.tree, dir))?.isDirectory() === true
  }

  async #makeDir(dir: PathText): Promise<void> {
    if (await this.#isRealDir(dir)) return
    if (!(await this.#isRealDir(parentsOf(dir).at(-1)))) throw new Error('A link stands where it would be made.')
    await this.#opening(dir, () => mkdir(this.#at(dir)))
    await chmod(this.#at(dir), this.#world.shadow.usual.dir)
    this.#madeDirs.add(dir)
  }

  /** Removes directories that the deletions have emptied, and empty ones that the target does not have. */
  async #removeDirs(): Promise<void> {
    const { plan, now } = this.#restoring
    const empty = now.emptyDirs.filter((dir) => !plan.strange.some((strange) => isBelow(dir, strange)))
    const dirs = new Set([...plan.removals, ...empty].flatMap(parentsOf).concat(empty))
    for (const dir of innermostFirst(dirs))
      if (await this.#isRealDir(dir)) await this.#opening(dir, () => rmdir(this.#at(dir))).catch(() => undefined)
  }

  async #setMode(one: PathText): Promise<void> {
    const { target } = this.#restoring
    const dir = one.endsWith('/') ? one.slice(0, -1) : null
    if (dir !== null && !(await this.#restoring.hasDir(dir))) return
    const found = await findFile(this.#world.shadow.tree, dir ?? one)
    if (found === null || found.isSymbolicLink() || found.isDirectory() !== (dir !== null)) return
    const { usual } = this.#world.shadow
    const expected = dir !== null ? usual.dir : isProgram(found.mode) ? usual.program : usual.file
    await chmod(this.#at(dir ?? one), target.modes.get(one) ?? expected)
    if (dir !== null) this.#opened.delete(dir)
  }

  /** Makes a read-only directory writable until the restore ends. */
  async #opening(one: PathText, work: () => Promise<void>): Promise<void> {
    const dir = parentsOf(one).at(-1)
    try {
      await work()
    } catch (cause) {
      if (dir === undefined || codeOf(cause) !== 'EACCES') throw cause
      const { mode } = await lstat(this.#at(dir))
      if (!this.#opened.has(dir)) this.#opened.set(dir, mode & permissionBits)
      await chmod(this.#at(dir), (mode & permissionBits) | 0o700)
      await work()
    }
  }

  #at(one: PathText): Buffer {
    return pathAt(this.#world.shadow.tree, one)
  }
}

const innermostFirst = (paths: Iterable<PathText>): PathText[] => [...paths].toSorted((a, b) => b.length - a.length)

/** The directories above these paths, each before its subdirectories. */
const outermostFirst = (paths: Iterable<PathText>): PathText[] =>
  [...new Set([...paths].flatMap(parentsOf))].toSorted((a, b) => a.length - b.length)
