import { type Shadow, type ShadowOptions, openShadow } from './snapshots/shadow.ts'

/** The snapshots of all work trees, each made ready once. */
export class Shadows {
  readonly #options: Omit<ShadowOptions, 'tree'>
  readonly #byDir = new Map<string, Promise<Shadow>>()
  readonly #byTree = new Map<string, Shadow>()

  constructor(options: Omit<ShadowOptions, 'tree'>) {
    this.#options = options
  }

  /** Those of the work tree that a directory is in. */
  of(dir: string): Promise<Shadow> {
    const known = this.#byDir.get(dir)
    if (known !== undefined) return known
    const opening = this.#open(dir)
    this.#byDir.set(dir, opening)
    // What is not there now may be there later.
    opening.catch(() => this.#byDir.delete(dir))
    return opening
  }

  /** Two directories of one tree must not work on it at the same time. */
  async #open(dir: string): Promise<Shadow> {
    const opened = await openShadow({ ...this.#options, tree: dir })
    const shadow = this.#byTree.get(opened.tree) ?? opened
    this.#byTree.set(opened.tree, shadow)
    return shadow
  }
}
