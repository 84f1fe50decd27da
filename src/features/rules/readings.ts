import path from 'node:path'
import { meets, type PathShape, plainShape, wordShapes } from './overlap.ts'
import type { World } from './types.ts'

/** The parts of the world that a path needs. */
export type Places = Pick<World, 'root' | 'cwd' | 'home' | 'realPath' | 'entries' | 'rootBeside' | 'work'>

/** A file that a word may be. */
export interface Reading {
  file: string
  /** It has patterns that stand for unknown files. */
  isOpen: boolean
  /** One of its patterns was found to stand for this. */
  isFound: boolean
}

const mostReadings = 256

/** To ask the file system for one thing costs as much as so many steps. */
const askUnits = 1_000

/** All that could not be told apart: any file. */
const anyFile: Reading = { file: '/**', isOpen: true, isFound: false }

/** A cache by call: many rules ask for the same words of one call, with the same lookup function. */
const known = new WeakMap<Places['realPath'], Map<string, Promise<Reading[]>>>()

/**
 * The files that a word may be, name by name: what its patterns stand for now, and each link and `..` in it both as
 * programs follow them and as they are written. A link must hide a file neither where it is nor where it seems to be.
 */
export const readingsOf = (word: string, places: Places): Promise<Reading[]> => {
  const { cwd, home, realPath } = places
  const expanded = home !== null && /^~(\/|$)/.test(word) ? home + word.slice(1) : word
  const absolute = expanded.startsWith('/') ? expanded : `${cwd}/${expanded}`
  const before = known.get(realPath) ?? new Map<string, Promise<Reading[]>>()
  known.set(realPath, before)
  const reading = before.get(absolute) ?? read(absolute, places)
  before.set(absolute, reading)
  return reading
}

const read = async (absolute: string, places: Places): Promise<Reading[]> => {
  let at: Reading[] = [{ file: '/', isOpen: false, isFound: false }]
  for (const name of absolute.split('/').filter((each) => each !== '' && each !== '.')) {
    const next = distinct((await Promise.all(at.map((each) => step(each, name, places)))).flat())
    if (next.length <= mostReadings) at = next
    else at = name === '..' ? [anyFile] : at.map((each) => ({ ...below(each, name), isOpen: true }))
  }
  return distinct((await Promise.all(at.map((each) => bothWays(each, places)))).flat())
}

const step = async (at: Reading, name: string, places: Places): Promise<Reading[]> => {
  if (name === '..') return (await bothWays(at, places)).map((each) => ({ ...each, file: path.dirname(each.file) }))
  // A command may name files as only its shell can tell them: `src/*`.
  if (!/[*?[{]/.test(name)) return [below(at, name)]
  places.work.spend(askUnits + name.length)
  const entries = at.isOpen || name === '**' ? null : await places.entries(at.file)
  if (entries === null) return [{ ...below(at, name), isOpen: true }]
  const shapes = wordShapes(name)
  const found = entries
    .map((entry) => entry.replace(/\/$/, ''))
    .filter((entry) => meetsOne(shapes, [plainShape(entry)], places.work))
    .map((entry) => ({ ...below(at, entry), isFound: true }))
  // What stands for nothing at all is left to the program as it is written.
  return at.isFound ? found : [below(at, name), ...found]
}

/** Whether some path fits one of each. */
export const meetsOne = (words: readonly PathShape[], shapes: readonly PathShape[], work: Places['work']): boolean => {
  const spend = (units: number): void => work.spend(units)
  return words.some((word) => shapes.some((shape) => meets(word, shape, spend)))
}

const below = (at: Reading, name: string): Reading => ({ ...at, file: path.join(at.file, name) })

const bothWays = async (at: Reading, { realPath, work }: Places): Promise<Reading[]> => {
  work.spend(askUnits + at.file.length)
  return [{ ...at, file: await realPath(at.file) }, at]
}

const distinct = (readings: readonly Reading[]): Reading[] => [
  ...new Map(readings.map((reading) => [`${reading.isOpen} ${reading.isFound} ${reading.file}`, reading])).values(),
]

const mostEntries = 5000

/** Whether there is such a file above, at or below a directory, as far as can be told: in doubt there is. */
export const isSuchThere = async (
  directory: string,
  isSuch: (file: string) => boolean,
  { entries, work }: Places,
): Promise<boolean> => {
  const beside = directory === '/' ? null : await entries(path.dirname(directory))
  const name = path.basename(directory)
  if (beside !== null && !beside.some((entry) => entry === name || entry === `${name}/`)) return false
  if (lineageOf(directory).some(isSuch)) return true
  const directories = [directory]
  let seen = 0
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    work.spend(askUnits)
    const inside = await entries(at)
    seen += inside?.length ?? 0
    if (inside === null || seen > mostEntries) return true
    for (const entry of inside) {
      const file = path.join(at, entry.replace(/\/$/, ''))
      if (isSuch(file)) return true
      if (entry.endsWith('/')) directories.push(file)
    }
  }
  return false
}

const lineageOf = (directory: string): string[] =>
  directory === '/' ? ['/'] : [directory, ...lineageOf(path.dirname(directory))]
