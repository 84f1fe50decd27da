import { resolve } from 'node:path'
import type { LineCache } from '../../../base/shell/line-cache.ts'
import { isWithin, placesOf } from '../../../base/shell/places.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import type { Book } from '../book/book.ts'
import type { Tally } from '../book/entry.ts'
import type { Ground, Tree } from './ground.ts'

const absolutePath = /(?<![^\s'"=:(;&|<>])\/[^\s'"`;&|()<>]*/g

/**
 * A line that was run somewhere, as it is to be run from `cwd`: paths in another work tree of this repository are moved
 * to one's own. Null if the line leads anywhere else, or to a path that does not exist.
 */
export const lineFrom = (text: string, cwd: string, { entryAt, treeAt }: Ground): string | null => {
  const own = treeAt(cwd) ?? { root: cwd, repository: cwd }
  const isOther = (tree: Tree | null): tree is Tree =>
    tree !== null && tree.root !== own.root && tree.repository === own.repository
  let isThere = true
  const here = text.replaceAll(absolutePath, (path) => {
    const tree = treeAt(resolve(path))
    if (!isOther(tree)) return path
    const same = own.root + resolve(path).slice(tree.root.length)
    isThere &&= entryAt(same) !== null
    return same
  })
  const isOwn = (place: string | null): boolean =>
    place !== null && isWithin(own.root, place) && !isOther(treeAt(place)) && entryAt(place) === 'directory'
  if (!isThere || !placesOf(here, cwd).every(isOwn)) return null
  // A `cd` to where one already is is left out.
  const { before } = trimming(here)
  return placesOf(before, cwd)[0] === cwd ? here.slice(before.length) : here
}

interface Known {
  readonly book: Book
  readonly lines: LineCache
  readonly ground: Ground
}

/** A line as it is to be run from `cwd`, and its runs; null if it never ran here or leads out of the work tree. */
export const findKnownLine = (
  source: string,
  cwd: string,
  { book, lines, ground }: Known,
): { text: string; runs: Tally } | null => {
  const text = lineFrom(source, cwd, ground)
  if (text === null) return null
  const runs = book.runs(lines.read(text), cwd) ?? book.runs(lines.read(source), cwd)
  return runs === null ? null : { text, runs }
}
