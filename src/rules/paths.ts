import path from 'node:path'
import { globBase, pathGlob } from './glob.ts'
import { globShapes, meets, type PathShape, plainShape, wordShapes } from './overlap.ts'
import { isSuchThere, type Places, type Reading, readingsOf } from './readings.ts'

export type { Places } from './readings.ts'

export interface PathGlobs {
  /** Whether the last glob that fits is one that takes in. */
  fits(file: string, places: Places): Promise<boolean>
  /** The same, and whether what the globs mean lies below: for whoever deletes, moves or replaces a directory. */
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
}

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

const toPattern = (given: string): OnePattern => {
  const isOut = given.startsWith('!')
  const glob = isOut ? given.slice(1) : given
  if (glob === '~' || glob.startsWith('~/')) return { isOut, from: 'home', ...compiled(glob.slice(2)) }
  if (glob.startsWith('/')) return { isOut, from: 'top', ...compiled(glob.slice(1)) }
  return { isOut, from: 'root', ...compiled(glob.replace(/^(\.\/)+/, '')) }
}

const compiled = (glob: string): Omit<OnePattern, 'isOut' | 'from'> => {
  const isTop = glob === '' || glob === '.'
  const shapes = isTop ? [[]] : globShapes(glob.endsWith('/') ? `${glob}**` : glob)
  return {
    base: isTop ? '' : globBase(glob.replace(/\/$/, '')),
    fits: isTop ? (relative) => relative === '' : pathGlob(glob),
    shapes,
    above: shapes.flatMap((shape) =>
      shape.flatMap((_, depth) => (isNamed(shape, depth) ? [shape.slice(0, depth)] : [])),
    ),
  }
}

/** Whether the first `depth` names of it end with one that has letters in it, or are none. */
const isNamed = (shape: PathShape, depth: number): boolean => {
  const last = shape[depth - 1]
  return last === undefined || (last !== 'any' && last.some(({ is }) => is === 'letter'))
}

type Bases = Record<OnePattern['from'], readonly string[]>

const basesOf = async ({ root, home, realPath }: Places): Promise<Bases> => {
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
    for (const base of bases[pattern.from])
      if (await saysOne(pattern, reading, base, isHolding, places)) return !pattern.isOut
  return false
}

const saysOne = async (
  pattern: OnePattern,
  { file, isOpen }: Reading,
  base: string,
  isHolding: boolean,
  places: Places,
): Promise<boolean> => {
  const fits = (one: string): boolean => {
    const relative = relativeTo(base, one)
    return relative !== null && pattern.fits(relative)
  }
  if (fits(file)) return true
  if (pattern.isOut || !(isHolding || isOpen)) return false
  const words = isOpen ? wordShapes(file) : [plainShape(file)]
  const from = plainShape(base)
  const above = isHolding
    ? [...from.map((_, depth) => from.slice(0, depth)), ...pattern.above.map((shape) => [...from, ...shape])]
    : []
  const meant = isOpen ? [...above, ...pattern.shapes.map((shape) => [...from, ...shape])] : above
  const canBe = (shapes: readonly PathShape[]): boolean =>
    words.some((word) => shapes.some((shape) => meets(word, shape)))
  if (!canBe(meant)) return false
  const isMeant = (one: string): boolean => {
    const shape = plainShape(one)
    return canBe([shape]) && (fits(one) || above.some((each) => meets(shape, each)))
  }
  return !isOpen || isSuchThere(path.join(base, pattern.base), isMeant, places)
}

/** Null where it is not below. */
const relativeTo = (base: string, file: string): string | null => {
  const relative = path.relative(base, file)
  return relative === '..' || relative.startsWith('../') ? null : relative
}
