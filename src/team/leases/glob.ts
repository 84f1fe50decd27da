import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { alternatives, globProblem } from '../../rules/glob.ts'
import { globShapes, overlap, type PathShape } from '../../rules/overlap.ts'
import { BoundedMap } from '../../util/bounded-map.ts'

/** A glob as it is kept: from the top of the work tree, without what says nothing. */
export const leaseGlob = (given: string, root: string): string => {
  const glob = path.posix.isAbsolute(given) ? path.posix.relative(root, given) : path.posix.normalize(given)
  const problem = given.startsWith('!') ? 'it says what is left out' : globProblem(given)
  if (problem !== null) throw new ReinError('usage', `${JSON.stringify(given)} is no glob of files: ${problem}.`)
  if (glob.split('/').includes('..'))
    throw new ReinError(
      'usage',
      `${JSON.stringify(given)} is outside of ${root}.`,
      'A lease is on files below the top of a work tree: give a glob from there.',
    )
  return glob.replace(/\/$/, '') || '.'
}

const isPlain = (glob: string): boolean => !/[*?]/.test(glob)

/** A plain path is a file, or a directory with all that is in it; `.` is everything. */
export const patternsOf = (glob: string): string[] =>
  alternatives(glob).map((one) => {
    if (one === '.') return '**'
    return isPlain(one) ? `${one.replace(/\/$/, '')}/**` : one
  })

const mostGlobs = 1000
const known = new BoundedMap<string, readonly PathShape[]>(mostGlobs)

const shapesOf = (glob: string): readonly PathShape[] => {
  const shapes = known.get(glob) ?? patternsOf(glob).flatMap(globShapes)
  known.set(glob, shapes)
  return shapes
}

/** Whether some path fits both, be there such a file or not. */
export const mayMeet = (one: string, other: string): boolean =>
  shapesOf(one).some((shape) => shapesOf(other).some((wanted) => overlap(shape, wanted)))
