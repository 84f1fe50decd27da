import path from 'node:path'
import { globBase, pathGlob, wordGlob } from './glob.ts'
import type { World } from './types.ts'

/** What of the world a path needs. */
export type Places = Pick<World, 'root' | 'cwd' | 'home' | 'realPath' | 'isThere'>

export interface PathGlobs {
  /** Whether the last glob that fits is one that takes in. */
  fits(file: string, places: Places): Promise<boolean>
  /** The same, and whether what the globs mean lies below: for whoever deletes or moves a directory. */
  fitsOrHolds(file: string, places: Places): Promise<boolean>
}

interface OnePattern {
  isOut: boolean
  from: 'root' | 'home' | 'top'
  base: string
  fits: (relative: string) => boolean
}

/** Globs from the top of the project; those that begin with `/` or `~/` are of the whole file system. */
export const pathGlobs = (globs: readonly string[]): PathGlobs => {
  const patterns = globs.map(toPattern)
  const match = async (file: string, places: Places, isHolding: boolean): Promise<boolean> => {
    const candidates = await spellings(file, places)
    const bases = await basesOf(places)
    const isThere = (meant: string): Promise<boolean> => places.isThere(meant)
    for (const candidate of candidates)
      if (await lastSays(patterns, { file: candidate, bases, isHolding, isThere })) return true
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

const compiled = (glob: string): Pick<OnePattern, 'base' | 'fits'> => ({
  base: glob === '.' ? '' : globBase(glob.replace(/\/$/, '')),
  fits: glob === '' || glob === '.' ? (relative) => relative === '' : pathGlob(glob),
})

/** The real path, and the path as it was given: a link must hide a file neither where it is nor where it seems to be. */
const spellings = async (file: string, { cwd, home, realPath }: Places): Promise<string[]> => {
  const expanded = home !== null && /^~(\/|$)/.test(file) ? path.join(home, file.slice(1)) : file
  const absolute = path.resolve(cwd, expanded)
  const real = await realPath(absolute)
  return real === absolute ? [absolute] : [real, absolute]
}

type Bases = Record<OnePattern['from'], readonly string[]>

const basesOf = async ({ root, home, realPath }: Places): Promise<Bases> => {
  const both = async (directory: string): Promise<string[]> => [
    ...new Set([path.resolve(directory), await realPath(directory)]),
  ]
  return { root: await both(root), home: home === null ? [] : await both(home), top: ['/'] }
}

interface Asked {
  file: string
  bases: Bases
  isHolding: boolean
  isThere: Places['isThere']
}

const lastSays = async (patterns: readonly OnePattern[], asked: Asked): Promise<boolean> => {
  for (const pattern of patterns.toReversed())
    for (const base of asked.bases[pattern.from]) if (await saysOne(pattern, base, asked)) return !pattern.isOut
  return false
}

/** What a wildcard or a directory stands for is only what is there: `rm *` touches no file that does not exist. */
const saysOne = async (pattern: OnePattern, base: string, { file, isHolding, isThere }: Asked): Promise<boolean> => {
  const relative = relativeTo(base, file)
  if (relative !== null && pattern.fits(relative)) return true
  if (pattern.isOut || !(isHolding || isWild(file))) return false
  const meant = path.join(base, pattern.base)
  return standsFor(file, meant, isHolding) && isThere(meant)
}

/** A command may name files as only its shell can tell them: `src/*`. */
const isWild = (file: string): boolean => /[*?[{]/.test(file)

const namesIn = (file: string): string[] => file.split('/').filter((name) => name !== '')

/** Whether `file` can be `meant`, or a directory above it. */
const standsFor = (file: string, meant: string, isAbove: boolean): boolean => {
  const [names, wanted] = [namesIn(file), namesIn(meant)]
  const isDeepEnough = isAbove ? names.length <= wanted.length : names.length === wanted.length
  return isDeepEnough && names.every((name, depth) => isNameFor(name, wanted[depth] ?? ''))
}

const isNameFor = (name: string, wanted: string): boolean => {
  if (name === wanted) return true
  // A shell's `*` does not stand for hidden files.
  if (!isWild(name) || (wanted.startsWith('.') && !name.startsWith('.'))) return false
  return wordGlob(name.replace(/\[[^\]]*\]/g, '?'))(wanted)
}

/** Null where it is not below. */
const relativeTo = (base: string, file: string): string | null => {
  const relative = path.relative(base, file)
  return relative === '..' || relative.startsWith('../') ? null : relative
}
