import { sharedGit, workTree } from '../../../base/util/work-tree.ts'
import { entryAt } from './entry-at.ts'
import type { Ground } from './line-from.ts'

/** As it is on disk. */
export const ground: Ground = {
  entryAt,
  treeAt: (path) => {
    const found = workTree(path)
    return found === null ? null : { root: found.root, repository: sharedGit(found.git) }
  },
}
