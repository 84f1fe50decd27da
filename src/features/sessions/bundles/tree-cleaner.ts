import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ObjectStore } from '../snapshots/object-store.ts'
import { joined, type PathText } from '../snapshots/path-text.ts'
import { dirMode, type Entry, fileMode, linkMode, programMode, type Tree } from '../snapshots/tree.ts'
import type { BaseTree } from './base-tree.ts'
import type { Cleaner } from './cleaner.ts'
import { isSafeLink, isSafeName } from './paths.ts'

export interface LeftOut {
  path: PathText
  reason: string
}

/** Larger files are not looked through: that would keep everybody else waiting. */
const mostToLookThrough = 8 * 2 ** 20

/** Makes trees that may leave: without secrets if that is wanted, and without what the other side would refuse. */
export class TreeCleaner {
  readonly #store: ObjectStore
  readonly #cleaner: Cleaner
  readonly #base: BaseTree
  readonly #done = new Map<string, Promise<string | null>>()
  readonly #leftOut = new Map<PathText, string>()

  constructor(store: ObjectStore, cleaner: Cleaner, base: BaseTree) {
    this.#store = store
    this.#cleaner = cleaner
    this.#base = base
  }

  get leftOut(): LeftOut[] {
    return Array.from(this.#leftOut, ([path, reason]) => ({ path: this.#cleaner.text('names of files', path), reason }))
  }

  /** The tree that leaves in its place. */
  async clean(id: string): Promise<string> {
    const tree = await this.#tree(id, '')
    await this.#store.settle()
    return tree
  }

  async #tree(id: string, path: PathText): Promise<string> {
    const [before, after]: [Tree, Tree] = [await this.#store.readTree(id), new Map()]
    for (const [name, entry] of before) {
      const own = joined(path, name)
      const clean = this.#base.has(own, entry) ? entry.id : await this.#once(name, own, entry)
      if (clean !== null) after.set(name, { mode: entry.mode, id: clean })
    }
    const isSame = after.size === before.size && [...after].every(([name, one]) => before.get(name)?.id === one.id)
    return isSame ? id : this.#store.writeTree(after)
  }

  /** Most of a tree is what it was in the turn before. */
  #once(name: string, path: PathText, entry: Entry): Promise<string | null> {
    const key = `${entry.mode} ${entry.id} ${path}`
    const known = this.#done.get(key) ?? this.#entry(name, path, entry)
    this.#done.set(key, known)
    return known
  }

  /** Null leaves it out. */
  async #entry(name: string, path: PathText, { mode, id }: Entry): Promise<string | null> {
    if (!isSafeName(name)) return this.#leave(path, 'name')
    if (this.#cleaner.text('names of files', name) !== name) return this.#leave(path, 'secret in its name')
    if (mode === dirMode) return this.#tree(id, path)
    if (mode === linkMode) return this.#link(path, id)
    return mode === fileMode || mode === programMode ? this.#file(path, id) : this.#leave(path, 'no file')
  }

  async #link(path: PathText, id: string): Promise<string | null> {
    const target = (await this.#store.read(id, 'blob')).toString()
    if (!isSafeLink(path, target)) return this.#leave(path, 'link that leads out of the work tree')
    return this.#cleaner.text(path, target) === target ? id : this.#leave(path, 'secret in a link')
  }

  async #file(path: PathText, id: string): Promise<string | null> {
    await nextTurn()
    const data = await this.#store.read(id, 'blob')
    if (data.length > mostToLookThrough)
      return this.#cleaner.isRedacting ? this.#leave(path, 'too large to be looked through') : id
    const clean = this.#cleaner.bytes(path, data)
    return clean === data ? id : this.#store.writeLater('blob', clean)
  }

  #leave(path: PathText, reason: string): null {
    this.#leftOut.set(path, reason)
    return null
  }
}
