import { alternatives, type Piece, piecesOf } from './glob.ts'

/** One name of a path, as a glob without braces; `any` is `**`. */
type NameGlob = 'any' | readonly Piece[]
export type PathShape = readonly NameGlob[]

const splitPath = (file: string): string[] => file.split('/').filter((name) => name !== '')

/** A path that is nothing but itself. */
export const plainShape = (file: string): PathShape =>
  splitPath(file).map((name) => Array.from(name, (letter) => ({ is: 'letter', letter })))

/** The shapes of a glob of a rule, with braces expanded. */
export const globShapes = (glob: string): PathShape[] =>
  alternatives(glob).map((each) => splitPath(each).map((name) => (name === '**' ? 'any' : piecesOf(name))))

/** An upper bound of the paths that a shell or `find` makes of a word: sets of letters count as any letter. */
export const wordShapes = (word: string): PathShape[] =>
  globShapes(word.replace(/[?*+@!]\([^()]*\)/g, '*').replace(/\[[^\]/]+\]/g, '?'))

/** Is told before each step, so that it can end them. */
type Spend = (units: number) => void

/** Whether some path fits both. Only a shell leaves hidden names out; what goes down whole trees does not. */
export const meets = (word: PathShape, rule: PathShape, spend: Spend = free): boolean =>
  pathsMeet(word, rule, !word.includes('any'), spend)

/** The same for two globs, of which none is a shell's. */
export const overlap = (one: PathShape, other: PathShape): boolean => pathsMeet(one, other, false, free)

const free: Spend = () => undefined

const pathsMeet = (word: PathShape, rule: PathShape, isHiding: boolean, spend: Spend): boolean => {
  const areSame = (own: NameGlob, wanted: NameGlob): boolean =>
    own !== 'any' && wanted !== 'any' && namesMeet(own, wanted, isHiding, spend)
  const apart = firstApart(word, rule, (name) => name === 'any', areSame)
  if (apart !== null) return apart
  spend((1 + word.length) * (1 + rule.length))
  return meet(word, rule, (name) => name === 'any', areSame)
}

const namesMeet = (word: readonly Piece[], rule: readonly Piece[], isHiding: boolean, spend: Spend): boolean => {
  spend(1 + Math.min(word.length, rule.length))
  const [first, wanted] = [word[0], rule[0]]
  if (isHiding && first?.is !== 'letter' && wanted?.is === 'letter' && wanted.letter === '.') return false
  const apart = firstApart(word, rule, isStar, isAlike)
  if (apart !== null) return apart
  spend((1 + word.length) * (1 + rule.length))
  return meet(word, rule, isStar, isAlike)
}

/** Up to the first part of either that stands for any number: most pairs are told apart there. Null where they are not. */
const firstApart = <T>(
  one: readonly T[],
  other: readonly T[],
  isMany: (part: T) => boolean,
  isSame: (part: T, wanted: T) => boolean,
): boolean | null => {
  for (let at = 0; ; at += 1) {
    const [part, wanted] = [one[at], other[at]]
    if (part === undefined && wanted === undefined) return true
    if ((part !== undefined && isMany(part)) || (wanted !== undefined && isMany(wanted))) return null
    if (part === undefined || wanted === undefined || !isSame(part, wanted)) return false
  }
}

const isStar = ({ is }: Piece): boolean => is === 'many'
const isAlike = (own: Piece, other: Piece): boolean =>
  own.is === 'one' ||
  other.is === 'one' ||
  (own.is === 'letter' && other.is === 'letter' && own.letter === other.letter)
/** From the end on, for each pair of places: so it takes the product of both lengths, whatever stands there. */
const meet = <T>(
  one: readonly T[],
  other: readonly T[],
  isMany: (part: T) => boolean,
  isSame: (part: T, wanted: T) => boolean,
): boolean => {
  let below: boolean[] = []
  for (let at = one.length; at >= 0; at -= 1) {
    const row: boolean[] = []
    for (let to = other.length; to >= 0; to -= 1) {
      const [part, wanted] = [one[at], other[to]]
      const [down, right] = [below[to] === true, row[to + 1] === true]
      if (part === undefined && wanted === undefined) row[to] = true
      else if (part !== undefined && isMany(part)) row[to] = down || right
      else if (wanted !== undefined && isMany(wanted)) row[to] = right || down
      else row[to] = part !== undefined && wanted !== undefined && isSame(part, wanted) && below[to + 1] === true
    }
    below = row
  }
  return below[0] === true
}
