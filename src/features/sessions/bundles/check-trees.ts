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

/** Checks every tree of an untrusted bundle, name by name; what the base has at the same place is the user's own. */
export class TreeChecker {
  readonly #store: ObjectStore
  readonly #base: BaseTree
  readonly #seen = new Set<string>()
  /** One tree may be at very many places. */
  readonly #trees = new Map<string, Tree>()
  /** Whether a blob begins like a program. */
  readonly #programs = new Map<string, boolean>()
  #bytes = 0

  constructor(store: ObjectStore, base: BaseTree) {
    this.#store = store
    this.#base = base
  }

  /** Throws at anything that Rein puts in no bundle; returns what neither the base nor an earlier tree has. */
  async check(tree: string): Promise<FoundPath[]> {
    const found: FoundPath[] = []
    for await (const one of this.#walk(tree, true)) {
      const { path, mode, id } = one
      if (!isSafePath(path)) throw hostile(`it has a file with the name ${JSON.stringify(path.slice(-80))}`)
      if (![dirMode, fileMode, programMode, linkMode].includes(mode)) throw hostile('it has something else than files')
      if (mode === linkMode && !isSafeLink(path, (await this.#store.read(id, 'blob')).toString()))
        throw hostile(`its link ${JSON.stringify(path.slice(-80))} leads out of the work tree`)
      if (mode === fileMode && !this.#programs.has(id)) {
        let head: Buffer | null = null
        const whole = await this.#store.fetch(id, async (part) => void (head ??= Buffer.from(part.subarray(0, 4))))
        const text = (whole ?? head ?? Buffer.alloc(0)).toString('latin1', 0, 4)
        const isProgram = programBeginnings.some((begin) => text.startsWith(begin))
        this.#programs.set(id, isProgram)
      }
      found.push(one)
    }
    return found
  }

  /** Everything in a checked tree. */
  async all(tree: string): Promise<FoundPath[]> {
    const found: FoundPath[] = []
    for await (const one of this.#walk(tree, false)) found.push(one)
    return found
  }

  /** Whether a file of the bundle begins like a program, whatever its permissions are. */
  beginsAsProgram(id: string): boolean {
    return this.#programs.get(id) ?? false
  }

  /** With `isNew`, only what neither the base nor an earlier tree has at that place. */
  async *#walk(top: string, isNew: boolean): AsyncGenerator<FoundPath> {
    const open = [{ id: top, dir: '' }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const tree = this.#trees.get(next.id) ?? (await this.#store.readTree(next.id))
      this.#trees.set(next.id, tree)
      for (const [name, entry] of tree) {
        const path = joined(next.dir, name)
        if (isNew && this.#isKnown(path, entry)) continue
        yield { path, ...entry }
        if (entry.mode === dirMode) open.push({ id: entry.id, dir: path })
      }
      // Gives the event loop a turn.
      if (this.#seen.size % 64 === 0) await nextTurn()
    }
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

/** Filters the permissions and empty directories of a manifest: they must fit the tree, and lock no one out. */
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
