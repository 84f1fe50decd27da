import path from 'node:path'
import type { Lease } from '../../contract/lease.ts'
import { type PathGlobs, pathGlobs } from '../rules/paths.ts'
import type { LookedUp } from '../rules/world.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import type { Change } from './changes.ts'
import { patternsOf } from './glob.ts'

/** Where a work tree's top is in the other one of the same repository that holds a file; null if there is none. */
export type RootBeside = (root: string, file: string) => string | null

const mostGlobs = 1000
const known = new BoundedMap<string, PathGlobs>(mostGlobs)

/** Whether a change is one of a lease's files: by the real path, and in its own work tree. */
export const isUnder = async (
  { root, glob }: Pick<Lease, 'root' | 'glob'>,
  { file, reach }: Change,
  places: LookedUp,
  rootBeside: RootBeside,
): Promise<boolean> => {
  const real = await places.realPath(file)
  if (reach === 'work tree') return isWithin(real, root) && rootBeside(root, path.join(real, 'any')) === null
  // A work tree may lie in another one: what is in the inner one is not the outer one's, but goes with its directory.
  const beside = rootBeside(root, real)
  if (beside !== null && isWithin(beside, root)) return false
  const globs = known.get(glob) ?? pathGlobs(patternsOf(glob))
  known.set(glob, globs)
  const there = { ...places, root, rootBeside: () => Promise.resolve(null) }
  if (await globs.fits(file, there)) return true
  return reach === 'tree' && ((await globs.fitsOrHolds(file, there)) || globs.fits(`${file}/**`, there))
}

const isWithin = (file: string, directory: string): boolean => !/^\.\.(\/|$)/.test(path.relative(directory, file))
