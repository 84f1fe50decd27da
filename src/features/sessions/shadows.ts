import { type Shadow, type ShadowOptions, openShadow } from './snapshots/shadow.ts'

/** The snapshots of all work trees, each opened once. */
export class Shadows {
  readonly #options: Omit<ShadowOptions, 'tree'>
  readonly #byDir = new Map<string, Promise<Shadow>>()
  readonly #byTree = new Map<string, Shadow>()

  constructor(options: Omit<ShadowOptions, 'tree'>) {
    this.#options = options
  }

  /** The shadow of the work tree that contains a directory. */
  of(dir: string): Promise<Shadow> {
    const known = this.#byDir.get(dir)
    if (known !== undefined) return known
    const opening = openShadow({ ...this.#options, tree: dir }).then((opened) => {
      // Two directories of one tree share a shadow, so that they take turns.
      const shadow = this.#byTree.get(opened.tree) ?? opened
      this.#byTree.set(opened.tree, shadow)
      return shadow
    })
    this.#byDir.set(dir, opening)
    // A missing directory may appear later.
    opening.catch(() => this.#byDir.delete(dir))
    return opening
  }
}
