import { resolve } from 'node:path'
import { isWithin, placesOf } from '../../../base/shell/places.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import type { EntryAt } from './rewrite.ts'

/** A work tree, and the repository that it shares with others. */
export interface Tree {
  readonly root: string
  readonly repository: string
}

/** What can be seen of directories and work trees. */
export interface Ground {
  readonly entryAt: EntryAt
  /** The work tree that a path lies in; null if none does. */
  readonly treeAt: (path: string) => Tree | null
}

const ABSOLUTE = /(?<![^\s'"=:(;&|<>])\/[^\s'"`;&|()<>]*/g

/**
 * A line that was run somewhere, as it is to be run from here: what lies in another work tree of this repository is
 * taken from one's own. Null if it leads anywhere else, or to what is not there.
 */
export function lineFrom(text: string, cwd: string, { entryAt, treeAt }: Ground): string | null {
  const own = treeAt(cwd) ?? { root: cwd, repository: cwd }
  const isOther = (tree: Tree | null): tree is Tree =>
    tree !== null && tree.root !== own.root && tree.repository === own.repository
  let isThere = true
  const here = text.replaceAll(ABSOLUTE, (path) => {
    const tree = treeAt(resolve(path))
    if (!isOther(tree)) return path
    const same = own.root + resolve(path).slice(tree.root.length)
    isThere &&= entryAt(same) !== null
    return same
  })
  const isOwn = (place: string | null): boolean =>
    place !== null && isWithin(own.root, place) && !isOther(treeAt(place)) && entryAt(place) === 'directory'
  return isThere && placesOf(here, cwd).every(isOwn) ? withoutStay(here, cwd) : null
}

/** Whoever is there need not go there. */
function withoutStay(text: string, cwd: string): string {
  const { before } = trimming(text)
  return placesOf(before, cwd)[0] === cwd ? text.slice(before.length) : text
}
