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

/** Larger files are not scanned for secrets, which would block the daemon. */
const mostToLookThrough = 8 * 2 ** 20

/** Makes trees for export: without secrets if wanted, and without what the importer would refuse. */
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

  /** The tree to export in its place. */
  async clean(id: string): Promise<string> {
    const tree = await this.#tree(id, '')
    await this.#store.settle()
    return tree
  }

  async #tree(id: string, path: PathText): Promise<string> {
    const [before, after]: [Tree, Tree] = [await this.#store.readTree(id), new Map()]
    for (const [name, entry] of before) {
      const own = joined(path, name)
      let clean: string | null = entry.id
      if (!this.#base.has(own, entry)) {
        // Most of a tree is the same as in the turn before.
        const key = `${entry.mode} ${entry.id} ${own}`
        const cleaning = this.#done.get(key) ?? this.#entry(name, own, entry)
        this.#done.set(key, cleaning)
        clean = await cleaning
      }
      if (clean !== null) after.set(name, { mode: entry.mode, id: clean })
    }
    const isSame = after.size === before.size && [...after].every(([name, one]) => before.get(name)?.id === one.id)
    return isSame ? id : this.#store.writeTree(after)
  }

  /** Null leaves it out. */
  async #entry(name: string, path: PathText, { mode, id }: Entry): Promise<string | null> {
    if (!isSafeName(name)) return this.#leave(path, 'name')
    if (this.#cleaner.text('names of files', name) !== name) return this.#leave(path, 'secret in its name')
    if (mode === dirMode) return this.#tree(id, path)
    if (mode === linkMode) {
      const target = (await this.#store.read(id, 'blob')).toString()
      if (!isSafeLink(path, target)) return this.#leave(path, 'link that leads out of the work tree')
      return this.#cleaner.text(path, target) === target ? id : this.#leave(path, 'secret in a link')
    }
    if (mode !== fileMode && mode !== programMode) return this.#leave(path, 'no file')
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
