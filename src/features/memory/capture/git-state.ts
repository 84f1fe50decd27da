import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { branchIn, hasChanges, workTree } from '../../../base/util/work-tree.ts'

/** The branch of a work tree and whether it has changes; null where unknown. */
export interface GitState {
  branch: string | null
  isDirty: boolean | null
}

interface GitStatesPorts {
  now: () => number
  /** Asks git; by default with a process of its own. */
  status?: (root: string) => Promise<boolean>
}

const mostRoots = 500
const askAgainMs = 10_000
const patienceMs = 10_000

/** The state of work trees: the branch is read at once, `isDirty` is git's last answer and never waited for. */
export class GitStates {
  readonly #now: () => number
  readonly #status: (root: string) => Promise<boolean>
  readonly #roots = new BoundedMap<string, { isDirty: boolean | null; askedAt: number }>(mostRoots)

  constructor({ now, status = (root) => hasChanges(root, patienceMs) }: GitStatesPorts) {
    this.#now = now
    this.#status = status
  }

  of(cwd: string): GitState {
    const found = workTree(cwd)
    if (found === null) return { branch: null, isDirty: null }
    const branch = branchIn(found.git)
    const known = this.#roots.get(found.root)
    if (known !== undefined && this.#now() - known.askedAt < askAgainMs) return { branch, isDirty: known.isDirty }
    const asked = { isDirty: known?.isDirty ?? null, askedAt: this.#now() }
    this.#roots.set(found.root, asked)
    this.#status(found.root).then(
      (isChanged) => (asked.isDirty = isChanged),
      () => (asked.isDirty = null),
    )
    return { branch, isDirty: asked.isDirty }
  }
}
