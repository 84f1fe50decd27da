import { statSync } from 'node:fs'
import { sharedGit, workTree } from '../../../base/util/work-tree.ts'

/** A work tree, and the repository that it shares with others. */
export interface Tree {
  readonly root: string
  readonly repository: string
}

/** A view of directories and work trees. */
export interface Ground {
  /** The kind of entry at a path, links followed; null if there is none. */
  readonly entryAt: (path: string) => 'directory' | 'other' | null
  /** The work tree that contains a path; null if there is none. */
  readonly treeAt: (path: string) => Tree | null
}

/** The file system as it is. */
export const ground: Ground = {
  entryAt: (path) => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats === undefined) return null
      return stats.isDirectory() ? 'directory' : 'other'
    } catch {
      // An unreadable entry is not a directory one can use.
      return 'other'
    }
  },
  treeAt: (path) => {
    const found = workTree(path)
    return found === null ? null : { root: found.root, repository: sharedGit(found.git) }
  },
}
