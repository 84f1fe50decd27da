import { stat } from 'node:fs/promises'
import path from 'node:path'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { branchIn, hasChanges, sharedGit, workTree } from '../../base/util/work-tree.ts'

interface Seen {
  isDirty: Promise<boolean>
  print: string
  at: number
}

const mostTrees = 200
const believedMs = 1000
const patienceMs = 5000

/** The branch of a work tree, and whether it has changes that are not committed. */
export class GitLook {
  readonly #now: () => number
  readonly #status: (root: string) => Promise<boolean>
  readonly #seen = new BoundedMap<string, Seen>(mostTrees)

  constructor(now: () => number, status = (root: string) => hasChanges(root, patienceMs)) {
    this.#now = now
    this.#status = status
  }

  /** Null where there is none: no work tree, or a commit that no branch names. */
  branch(cwd: string): string | null {
    const tree = workTree(cwd)
    return tree === null ? null : branchIn(tree.git)
  }

  /** Where a directory of one work tree is in the other one of the same repository that holds a file; null if it is the same. */
  rootBeside(root: string, file: string): string | null {
    const [here, there] = [workTree(root), workTree(path.dirname(file))]
    if (here === null || there === null || here.root === there.root) return null
    return sharedGit(here.git) === sharedGit(there.git) ? path.join(there.root, path.relative(here.root, root)) : null
  }

  /** Git is asked again when its index has changed, and after a second: files change without it. In doubt it is dirty. */
  async isDirty(cwd: string): Promise<boolean> {
    const tree = workTree(cwd)
    if (tree === null) return false
    const looks = ['HEAD', 'index'].map((name) =>
      stat(path.join(tree.git, name)).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => '',
      ),
    )
    const print = (await Promise.all(looks)).join('|')
    const seen = this.#seen.get(tree.root)
    if (seen !== undefined && seen.print === print && this.#now() - seen.at < believedMs) return seen.isDirty
    const asked = this.#status(tree.root).catch(() => true)
    this.#seen.set(tree.root, { isDirty: asked, print, at: this.#now() })
    return asked
  }
}
