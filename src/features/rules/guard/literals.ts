/** Words that must stand in whatever an expression or a glob fits, so that a text without them cannot fit it. */

/** Characters that the prefilter can search verbatim: JSON, shells and expressions write them unchanged. */
const isPlain = (character: string): boolean => /^[A-Za-z0-9_.@%+~/-]$/.test(character)

export const longest = (runs: readonly string[]): string => runs.toSorted((a, b) => b.length - a.length)[0] ?? ''

/** Literals of which one stands in whatever an RE2 expression fits; null where none is sure. */
export const literalsOfPattern = (pattern: string): string[] | null => {
  const walk = { pattern, at: 0 }
  const found = alternatives(walk)
  return found === null || walk.at < pattern.length ? null : found
}

/** Escapes of one letter that stand for other characters, or for none. */
const classEscapes = 'bBdDsSwWAznrtfv'
/** More words than this tell little, and each costs a look. */
const mostLiterals = 120
const shortest = 2

interface Walk {
  pattern: string
  at: number
}

/** Up to the end of the pattern or of the group: one of the literals of each alternative. */
const alternatives = (walk: Walk): string[] | null => {
  const all: (string[] | null)[] = [sequence(walk)]
  while (walk.pattern[walk.at] === '|') {
    walk.at += 1
    all.push(sequence(walk))
  }
  const found = all.every((one) => one !== null) ? [...new Set(all.flatMap((one) => one ?? []))] : null
  return found === null || found.length > mostLiterals ? null : found
}

/** The most selective requirement of one alternative: the longest run, or a group whose alternatives all have one. */
const sequence = (walk: Walk): string[] | null => {
  const required: string[][] = []
  let run = ''
  const end = (): void => {
    if (run.length >= shortest) required.push([run.toLowerCase()])
    run = ''
  }
  while (walk.at < walk.pattern.length && !'|)'.includes(walk.pattern[walk.at] ?? '')) {
    const next = step(walk)
    if (next === null) return null
    const [repeat = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(walk.pattern.slice(walk.at)) ?? []
    walk.at += repeat.length
    // What may be there zero times is not required.
    const isRequired = repeat === '' || repeat.startsWith('+')
    if (next.kind === 'plain' && isRequired) run += next.character
    if (next.kind !== 'plain' || repeat !== '') end()
    if (next.kind === 'group' && isRequired && next.literals !== null) required.push(next.literals)
  }
  end()
  return required.toSorted((one, other) => worth(other) - worth(one) || one.length - other.length)[0] ?? null
}

const worth = (literals: readonly string[]): number => Math.min(...literals.map(({ length }) => length))

type Step =
  | { kind: 'plain'; character: string }
  | { kind: 'other' }
  | { kind: 'group'; literals: string[] | null }
  | null

const other: Step = { kind: 'other' }

const step = (walk: Walk): Step => {
  const character = walk.pattern[walk.at] ?? ''
  if (character === '\\') {
    const meant = walk.pattern[walk.at + 1] ?? ''
    walk.at += 2
    if (classEscapes.includes(meant)) return other
    if (/[A-Za-z0-9]/.test(meant)) return null
    return isPlain(meant) ? { kind: 'plain', character: meant } : other
  }
  if (character === '(') {
    // `(…)`, `(?:…)`, `(?P<name>…)`; `(?i)` changes what follows, which is looked at in lower case anyway.
    const [opening = '('] = /^\((?:\?(?:[imsU-]*:|P?<\w+>|[imsU-]+(?=\))))?/.exec(walk.pattern.slice(walk.at)) ?? []
    walk.at += opening.length
    const literals = alternatives(walk)
    if (walk.pattern[walk.at] !== ')') return null
    walk.at += 1
    return { kind: 'group', literals }
  }
  if (character === '[') {
    const end = classEnd(walk.pattern, walk.at)
    walk.at = end ?? walk.at
    return end === null ? null : other
  }
  walk.at += 1
  return character !== '.' && isPlain(character) ? { kind: 'plain', character } : other
}

/** Past the bracket that ends a class; null where that is not sure. */
const classEnd = (pattern: string, from: number): number | null => {
  const first = from + (pattern[from + 1] === '^' ? 2 : 1)
  // A bare bracket right at the beginning stands for itself.
  let at = pattern[first] === ']' ? first + 1 : first
  while (at < pattern.length && pattern[at] !== ']') {
    const end = pattern.startsWith('[:', at) ? pattern.indexOf(':]', at + 2) : -1
    // After a hyphen the bracket may be the end of a range.
    if (end >= 0 && pattern[at - 1] === '-') return null
    if (end >= 0) at = end + 2
    else at += pattern[at] === '\\' ? 2 : 1
  }
  return at < pattern.length ? at + 1 : null
}

/**
 * What one name of a path requires: itself, or parts of it where it has signs of a glob. Anything may stand around it:
 * programs take `@file`, `-ffile` and more.
 */
const patternsOfName = (name: string): string[] => {
  if (isName(name)) return [escaped(name)]
  // A sign of a glob that stands for itself.
  if (/^\\[*?]$/.test(name)) return [`[${name.slice(1)}]`]
  return name
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\\./g, '*')
    .split(/[^a-z0-9_.@%+~-]+/)
    .filter((part) => part.length > 1)
    .map(escaped)
}

const isName = (name: string): boolean => /^[a-z0-9_.@%+-]+$/.test(name)

const namesOf = (glob: string): string[] =>
  glob
    .toLowerCase()
    .split('/')
    .filter((name) => !['', '.', '..', '~'].includes(name))

const mostGlobs = 100

/** `*.{pem,key}` as two globs. */
export const spelledOut = (glob: string): string[] => {
  let globs = [glob]
  while (globs.length <= mostGlobs) {
    const next = globs.flatMap((one) => {
      const [, before = '', choices, after = ''] = /^([^{}\\]*)\{([^{}\\]*)\}(.*)$/s.exec(one) ?? []
      return choices === undefined ? [one] : choices.split(',').map((choice) => before + choice + after)
    })
    if (next.length === globs.length) return next
    globs = next
  }
  return [glob]
}

/** Expressions of which each must match where a file of this glob is named; a line may name it in several pieces. */
export const patternsOfGlob = (glob: string): string[] => {
  const patterns = namesOf(glob).flatMap(patternsOfName)
  // The way to a home is named by `~`, or not at all.
  return glob.startsWith('/') ? patterns.slice(-1) : patterns
}

/** Expressions of which one matches where such a file, or a directory above it, is named as it really is. */
export const patternsAbove = (glob: string): string[] => [
  ...patternsOfGlob(glob).slice(-1),
  ...namesOf(glob)
    .filter(isName)
    .map((name) => `/${escaped(name)}( |$)`),
]

/** Brackets and no backslashes: every program reads those the same way. What is special in brackets, too, may be anything. */
export const escaped = (literal: string): string =>
  literal.replaceAll(/[^A-Za-z0-9_@%~/-]/g, (character) => (/[.+]/.test(character) ? `[${character}]` : '.'))
