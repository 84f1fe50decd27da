import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { branchIn, hasChanges, workTree } from '../../../base/util/work-tree.ts'

/** The branch of a work tree and whether something in it is changed; null where that is not known. */
export interface GitState {
  branch: string | null
  isDirty: boolean | null
}

export interface GitStatesPorts {
  now: () => number
  /** Asks git; by default with a process of its own. */
  status?: (root: string) => Promise<boolean>
}

interface Root {
  isDirty: boolean | null
  askedAt: number
}

const mostRoots = 500
const askAgainMs = 10_000
const patienceMs = 10_000

/** The state of work trees: the branch is read at once, whether it is dirty is what git said last, never waited for. */
export class GitStates {
  readonly #now: () => number
  readonly #status: (root: string) => Promise<boolean>
  readonly #roots = new BoundedMap<string, Root>(mostRoots)

  constructor({ now, status = (root) => hasChanges(root, patienceMs) }: GitStatesPorts) {
    this.#now = now
    this.#status = status
  }

  of(cwd: string): GitState {
    const found = workTree(cwd)
    if (found === null) return { branch: null, isDirty: null }
    return { branch: branchIn(found.git), isDirty: this.#look(found.root).isDirty }
  }

  #look(root: string): Root {
    const known = this.#roots.get(root)
    if (known !== undefined && this.#now() - known.askedAt < askAgainMs) return known
    const asked: Root = { isDirty: known?.isDirty ?? null, askedAt: this.#now() }
    this.#roots.set(root, asked)
    this.#status(root).then(
      (isChanged) => (asked.isDirty = isChanged),
      () => (asked.isDirty = null),
    )
    return asked
  }
}
