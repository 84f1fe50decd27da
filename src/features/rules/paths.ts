import path from 'node:path'
import { globBase, pathGlob } from './glob.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { globShapes, type PathShape, plainShape, wordShapes } from './overlap.ts'
import { isSuchThere, meetsOne, type Places, type Reading, readingsOf } from './readings.ts'

export type { Places } from './readings.ts'

export interface PathGlobs {
  /** Whether the last glob that fits is one that takes in. */
  fits(file: string, places: Places): Promise<boolean>
  /** The same, or whether files of the globs lie below: for deleting, moving or replacing a directory. */
  fitsOrHolds(file: string, places: Places): Promise<boolean>
}

interface OnePattern {
  isOut: boolean
  from: 'root' | 'home' | 'top'
  base: string
  fits: (relative: string) => boolean
  shapes: readonly PathShape[]
  /** The directories that a glob names on its way down; what `*` and `**` alone stand for may be any other. */
  above: readonly PathShape[]
  /** The same from a base on. */
  placed: BoundedMap<string, Placed>
}

interface Placed {
  /** Also the directories above the base. */
  above: readonly PathShape[]
  shapes: readonly PathShape[]
}

/** To see where a path lies and compare it with one glob. */
const fitUnits = 20
/** To take one letter of a path apart. */
const shapeUnits = 4

/** There are few: the project, its other work trees, the home. */
const mostBases = 20

/** Globs from the top of the project; those that begin with `/` or `~/` are of the whole file system. */
export const pathGlobs = (globs: readonly string[]): PathGlobs => {
  const patterns = globs.map(toPattern)
  const isOfRoot = patterns.some(({ from }) => from === 'root')
  const match = async (file: string, places: Places, isHolding: boolean): Promise<boolean> => {
    const bases = await basesOf(places)
    for (const reading of await readingsOf(file, places)) {
      const beside = isOfRoot ? await places.rootBeside(places.root, reading.file) : null
      const all = beside === null ? bases : { ...bases, root: [...bases.root, beside] }
      if (await lastSays(patterns, reading, all, isHolding, places)) return true
    }
    return false
  }
  return {
    fits: (file, places) => match(file, places, false),
    fitsOrHolds: (file, places) => match(file, places, true),
  }
}

/** Whether the first `depth` names of it end with one that has letters in it, or are none. */
const isNamed = (shape: PathShape, depth: number): boolean => {
  const last = shape[depth - 1]
  return last === undefined || (last !== 'any' && last.some(({ is }) => is === 'letter'))
}

const toPattern = (given: string): OnePattern => {
  const isOut = given.startsWith('!')
  const glob = isOut ? given.slice(1) : given
  const ofHome = glob === '~' || glob.startsWith('~/')
  const from = ofHome ? 'home' : glob.startsWith('/') ? 'top' : 'root'
  const relative = ofHome ? glob.slice(2) : glob.replace(/^(?:\/|(?:\.\/)+)/, '')
  const isTop = relative === '' || relative === '.'
  const shapes = isTop ? [[]] : globShapes(relative.endsWith('/') ? `${relative}**` : relative)
  return {
    isOut,
    from,
    base: isTop ? '' : globBase(relative.replace(/\/$/, '')),
    fits: isTop ? (file) => file === '' : pathGlob(relative),
    shapes,
    above: shapes.flatMap((shape) =>
      shape.flatMap((_, depth) => (isNamed(shape, depth) ? [shape.slice(0, depth)] : [])),
    ),
    placed: new BoundedMap(mostBases),
  }
}

const placedAt = (pattern: OnePattern, base: string): Placed => {
  const known = pattern.placed.get(base)
  if (known !== undefined) return known
  const from = plainShape(base)
  const below = (shapes: readonly PathShape[]): PathShape[] => shapes.map((shape) => [...from, ...shape])
  const above = [...from.map((_, depth) => from.slice(0, depth)), ...below(pattern.above)]
  const placed = { above, shapes: below(pattern.shapes) }
  pattern.placed.set(base, placed)
  return placed
}

type Bases = Record<OnePattern['from'], readonly string[]>

/** As readings are: of one call, in which many rules ask for many files. */
const knownBases = new WeakMap<Places['realPath'], Map<string, Promise<Bases>>>()

const basesOf = (places: Places): Promise<Bases> => {
  const { root, realPath } = places
  const known = knownBases.get(realPath) ?? new Map<string, Promise<Bases>>()
  knownBases.set(realPath, known)
  const bases = known.get(root) ?? lookUpBases(places)
  known.set(root, bases)
  return bases
}

const lookUpBases = async ({ root, home, realPath }: Places): Promise<Bases> => {
  const both = async (directory: string): Promise<string[]> => [
    ...new Set([path.resolve(directory), await realPath(directory)]),
  ]
  return { root: await both(root), home: home === null ? [] : await both(home), top: ['/'] }
}

const lastSays = async (
  patterns: readonly OnePattern[],
  reading: Reading,
  bases: Bases,
  isHolding: boolean,
  places: Places,
): Promise<boolean> => {
  for (const pattern of patterns.toReversed())
    for (const base of bases[pattern.from]) {
      const answer = says(pattern, reading, base, isHolding, places)
      if (answer === true || (answer !== false && (await answer))) return !pattern.isOut
    }
  return false
}

/** Without a promise where nothing has to be asked for: a call may name thousands of files. */
const says = (
  pattern: OnePattern,
  reading: Reading,
  base: string,
  isHolding: boolean,
  places: Places,
): boolean | Promise<boolean> => {
  const { file, isOpen } = reading
  const fits = (one: string): boolean => {
    places.work.spend(fitUnits + one.length)
    const relative = path.relative(base, one)
    const isBelow = relative !== '..' && !relative.startsWith('../')
    return isBelow && pattern.fits(relative)
  }
  if (fits(file)) return true
  if (pattern.isOut || !(isHolding || isOpen)) return false
  const { work } = places
  const words = shapesOf(reading, work)
  const placed = placedAt(pattern, base)
  const above = isHolding ? placed.above : []
  if (!meetsOne(words, above, work) && !(isOpen && meetsOne(words, placed.shapes, work))) return false
  const isMeant = (one: string): boolean => {
    const shape = [plainShape(one)]
    return meetsOne(words, shape, work) && (fits(one) || meetsOne(shape, above, work))
  }
  return !isOpen || isSuchThere(path.join(base, pattern.base), isMeant, places)
}

const shapes = new WeakMap<Reading, readonly PathShape[]>()

/** All patterns are compared with the same word. */
const shapesOf = (reading: Reading, work: Places['work']): readonly PathShape[] => {
  const known = shapes.get(reading)
  if (known !== undefined) return known
  const { file, isOpen } = reading
  work.spend(shapeUnits * file.length)
  const made = isOpen ? wordShapes(file) : [plainShape(file)]
  shapes.set(reading, made)
  return made
}
