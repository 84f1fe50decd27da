import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { Lease } from '../../contract/lease.ts'
import { alternatives, globBase, globProblem } from '../rules/glob.ts'
import { globShapes, overlap, type PathShape, plainShape } from '../rules/overlap.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'

/** A glob as it is kept: from the top of the work tree, without what says nothing. */
export const leaseGlob = (given: string, root: string): string => {
  const problem = given.startsWith('!') ? 'it says what is left out' : globProblem(given)
  if (problem !== null) throw new ReinError('usage', `${JSON.stringify(given)} is no glob of files: ${problem}.`)
  const glob = path.posix.isAbsolute(given) ? path.posix.relative(root, given) : path.posix.normalize(given)
  const isOut = given.includes('{') ? alternatives(given.replace(`${root}/`, '')).some(leadsOut) : leadsOut(glob)
  if (isOut)
    throw new ReinError(
      'usage',
      `${JSON.stringify(given)} is outside of ${root}.`,
      'A lease is on files below the top of a work tree: give a glob from there.',
    )
  const bare = glob.replace(/\/$/, '') || '.'
  return glob.endsWith('/') && !isPlain(bare) ? `${bare}/**` : bare
}

/** Braces may hide `..` or an absolute path in each alternative. */
const leadsOut = (glob: string): boolean => /^[/!]|^~(\/|$)/.test(glob) || glob.split('/').includes('..')

/** Links before its first pattern are followed, as those of a file are that is about to be changed. */
export const realGlob = async (
  glob: string,
  root: string,
  realPath: (file: string) => Promise<string>,
): Promise<string> => {
  const all = alternatives(glob)
  const real = await Promise.all(
    all.map(async (one) => {
      const base = globBase(one)
      const place = path.posix.relative(root, await realPath(path.posix.join(root, base)))
      const isHere = place !== base && place !== '' && !leadsOut(place)
      return isHere ? place.replace(/[*?{},\\]/g, String.raw`\$&`) + one.slice(base.length) : one
    }),
  )
  if (real.every((one, index) => one === all[index])) return glob
  return real.length === 1 ? real.join('') : `{${real.join(',')}}`
}

const isPlain = (glob: string): boolean => !/[*?]/.test(glob.replace(/\\[\s\S]/g, ''))

/** A plain path is a file, or a directory with all that is in it; `.` is everything. */
export const patternsOf = (glob: string): string[] =>
  alternatives(glob).map((given) => {
    const one = path.posix.normalize(given)
    if (one === '.' || one === './') return '**'
    return isPlain(one) || one.endsWith('/') ? `${one.replace(/\/$/, '')}/**` : one
  })

const mostGlobs = 1000
const known = new BoundedMap<string, readonly PathShape[]>(mostGlobs)

const shapesOf = (glob: string): readonly PathShape[] => {
  const shapes = known.get(glob) ?? patternsOf(glob).flatMap(globShapes)
  known.set(glob, shapes)
  return shapes
}

/** Whether some path fits both, be there such a file or not. */
export const mayMeet = (one: string, other: string): boolean => meet(shapesOf(one), shapesOf(other))

/** The same where the tops are two, of which one lies in the other. */
export const mayMeetFrom = (one: Placed, other: Placed): boolean =>
  one.root === other.root ? mayMeet(one.glob, other.glob) : meet(placed(one), placed(other))

export type Placed = Pick<Lease, 'root' | 'glob'>

const placed = ({ root, glob }: Placed): PathShape[] => shapesOf(glob).map((shape) => [...plainShape(root), ...shape])

const meet = (some: readonly PathShape[], others: readonly PathShape[]): boolean =>
  some.some((shape) => others.some((wanted) => overlap(shape, wanted)))
