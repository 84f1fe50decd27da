import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ObjectStore } from '../snapshots/object-store.ts'
import { joined, type PathText } from '../snapshots/path-text.ts'
import { dirMode, type Entry, fileMode, linkMode, programMode, type Tree } from '../snapshots/tree.ts'
import type { BaseTree } from './base-tree.ts'
import { hostile, limits } from './limits.ts'
import type { BundleFiles } from './manifest.ts'
import { isSafeLink, isSafePath } from './paths.ts'

/** A file, program, link or directory of a tree. */
export interface FoundPath {
  path: PathText
  mode: string
  id: string
}

/** A script; ELF, Windows, Mach-O (both orders, and for several machines). */
const programBeginnings = ['#!', '\x7fELF', 'MZ', '\xcf\xfa\xed\xfe', '\xfe\xed\xfa\xcf', '\xca\xfe\xba\xbe']

/** Looks at every tree of somebody else's, name by name; what the base has at the same place is the user's own. */
export class TreeChecker {
  readonly #store: ObjectStore
  readonly #base: BaseTree
  readonly #seen = new Set<string>()
  /** One tree may stand at very many places. */
  readonly #trees = new Map<string, Tree>()
  /** Whether a content begins like a program, by its id. */
  readonly #programs = new Map<string, boolean>()
  #bytes = 0

  constructor(store: ObjectStore, base: BaseTree) {
    this.#store = store
    this.#base = base
  }

  /** Throws at the first thing that no bundle of Rein's has; tells what neither the base nor a tree before has. */
  async check(tree: string): Promise<FoundPath[]> {
    const found: FoundPath[] = []
    for await (const one of this.#walk(tree, true)) {
      const { path, mode, id } = one
      if (!isSafePath(path)) throw hostile(`it has a file with the name ${JSON.stringify(path.slice(-80))}`)
      if (![dirMode, fileMode, programMode, linkMode].includes(mode)) throw hostile('it has something else than files')
      if (mode === linkMode && !isSafeLink(path, (await this.#store.read(id, 'blob')).toString()))
        throw hostile(`its link ${JSON.stringify(path.slice(-80))} leads out of the work tree`)
      if (mode === fileMode) await this.#lookInto(id)
      found.push(one)
    }
    return found
  }

  /** All of a tree that was checked. */
  async all(tree: string): Promise<FoundPath[]> {
    const found: FoundPath[] = []
    for await (const one of this.#walk(tree, false)) found.push(one)
    return found
  }

  /** Whether a file that came with the bundle is one to run, whatever its permissions are. */
  beginsAsProgram(id: string): boolean {
    return this.#programs.get(id) ?? false
  }

  async #lookInto(id: string): Promise<void> {
    if (this.#programs.has(id)) return
    let head: Buffer | null = null
    const whole = await this.#store.fetch(id, async (part) => void (head ??= Buffer.from(part.subarray(0, 4))))
    const text = (whole ?? head ?? Buffer.alloc(0)).toString('latin1', 0, 4)
    this.#programs.set(
      id,
      programBeginnings.some((one) => text.startsWith(one)),
    )
  }

  /** With `isNew`, only what neither the base nor a tree before has at that place. */
  async *#walk(top: string, isNew: boolean): AsyncGenerator<FoundPath> {
    const open = [{ id: top, dir: '' }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const [name, entry] of await this.#read(next.id)) {
        const path = joined(next.dir, name)
        if (isNew && this.#isKnown(path, entry)) continue
        yield { path, ...entry }
        if (entry.mode === dirMode) open.push({ id: entry.id, dir: path })
      }
      // Others want to do something, too.
      if (this.#seen.size % 64 === 0) await nextTurn()
    }
  }

  async #read(id: string): Promise<Tree> {
    const tree = this.#trees.get(id) ?? (await this.#store.readTree(id))
    this.#trees.set(id, tree)
    return tree
  }

  #isKnown(path: PathText, entry: Entry): boolean {
    if (this.#base.has(path, entry)) return true
    const key = `${entry.mode} ${entry.id} ${path}`
    if (this.#seen.has(key)) return true
    this.#bytes += key.length
    if (this.#seen.add(key).size > limits.files || this.#bytes > limits.allPathBytes)
      throw hostile('it has too many files')
    return false
  }
}

const [fileLeast, dirLeast] = [0o600, 0o700]

/** Permissions and empty directories are told beside a tree: only those that fit to it, and close nobody out, count. */
export const fitting = (
  { modes, emptyDirs }: BundleFiles,
  all: readonly FoundPath[],
): Pick<BundleFiles, 'modes' | 'emptyDirs'> => {
  const kinds = new Map(all.map(({ path, mode }) => [path, mode]))
  const isDirAt = (path: PathText): boolean => (kinds.get(path) ?? dirMode) === dirMode
  const free = emptyDirs.filter((dir) => !kinds.has(dir) && parentsAndSelf(dir).every(isDirAt))
  const dirs = new Set([
    ...free.flatMap(parentsAndSelf),
    ...all.filter(({ mode }) => mode === dirMode).map(({ path }) => path),
  ])
  const fits = ([path]: [PathText, number]): boolean =>
    path.endsWith('/') ? dirs.has(path.slice(0, -1)) : [fileMode, programMode].includes(kinds.get(path) ?? '')
  const own = modes
    .filter(fits)
    .map(([path, mode]): [PathText, number] => [path, mode | (path.endsWith('/') ? dirLeast : fileLeast)])
  return { modes: own, emptyDirs: free }
}

const parentsAndSelf = (path: PathText): PathText[] =>
  path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))
