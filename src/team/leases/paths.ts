import type { Lease } from '../../contract/lease.ts'
import { type PathGlobs, pathGlobs } from '../../rules/paths.ts'
import type { LookedUp } from '../../rules/world.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Change } from './changes.ts'
import { patternsOf } from './glob.ts'

/** Where a work tree's top is in the other one of the same repository that holds a file; null if there is none. */
export type RootBeside = (root: string, file: string) => string | null

const mostGlobs = 1000
const known = new BoundedMap<string, PathGlobs>(mostGlobs)

const globsOf = (glob: string): PathGlobs => {
  const globs = known.get(glob) ?? pathGlobs(patternsOf(glob))
  known.set(glob, globs)
  return globs
}

/** Whether a change is one of a lease's files: by the real path, and in its own work tree. */
export const isUnder = async (
  { root, glob }: Pick<Lease, 'root' | 'glob'>,
  { file, isTree }: Change,
  places: LookedUp,
  rootBeside: RootBeside,
): Promise<boolean> => {
  if (rootBeside(root, await places.realPath(file)) !== null) return false
  const globs = globsOf(glob)
  const there = { ...places, root, rootBeside: () => Promise.resolve(null) }
  if (await globs.fits(file, there)) return true
  return isTree && ((await globs.fitsOrHolds(file, there)) || globs.fits(`${file}/**`, there))
}
