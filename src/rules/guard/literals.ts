/** Words that must stand in whatever an expression or a glob fits, so that a text without them cannot fit it. */

/** What the prefilter can look for as it is: nothing that JSON, a shell or an expression writes otherwise. */
const isPlain = (character: string): boolean => /^[A-Za-z0-9_.@%+~/-]$/.test(character)

export const longest = (runs: readonly string[]): string => runs.toSorted((a, b) => b.length - a.length)[0] ?? ''

/** One literal for each alternative of an RE2 expression; null where one of them has none. */
export const literalsOfPattern = (pattern: string): string[] | null => {
  const found = alternatives(pattern)?.map((runs) => longest(runs).toLowerCase())
  return found === undefined || found.some((literal) => literal.length < 2) ? null : found
}

/** Escapes of one letter that stand for other characters, or for none. */
const classEscapes = 'bBdDsSwWAz'

interface Walk {
  pattern: string
  at: number
}

/** The runs of plain characters that each alternative requires; null for what is not surely understood. */
const alternatives = (pattern: string): string[][] | null => {
  const walk = { pattern, at: 0 }
  const found: string[][] = [[]]
  let run = ''
  const end = (): void => {
    found.at(-1)?.push(run)
    run = ''
  }
  while (walk.at < pattern.length) {
    const next = step(walk)
    if (next === null) return null
    if (next.kind === 'plain') run += next.character
    // What may be there zero times is not required.
    if (next.kind === 'maybe') run = run.slice(0, -1)
    if (next.kind !== 'plain') end()
    if (next.kind === 'or') found.push([])
  }
  end()
  return found
}

type Step = { kind: 'plain'; character: string } | { kind: 'other' | 'maybe' | 'or' } | null

const step = (walk: Walk): Step => {
  const character = walk.pattern[walk.at] ?? ''
  if (character === '\\') return escape(walk)
  if (character === '(') return skip(walk, groupEnd(walk.pattern, walk.at))
  if (character === '[') return skip(walk, classEnd(walk.pattern, walk.at))
  const [repeat] = /^(?:[*?]|\{\d+,?\d*\})/.exec(walk.pattern.slice(walk.at)) ?? []
  walk.at += repeat?.length ?? 1
  if (repeat !== undefined) return { kind: 'maybe' }
  if (character === '|') return { kind: 'or' }
  return character !== '+' && character !== '.' && isPlain(character) ? { kind: 'plain', character } : { kind: 'other' }
}

const escape = (walk: Walk): Step => {
  const character = walk.pattern[walk.at + 1] ?? ''
  walk.at += 2
  if (classEscapes.includes(character)) return { kind: 'other' }
  if (/[A-Za-z0-9]/.test(character)) return null
  return isPlain(character) ? { kind: 'plain', character } : { kind: 'other' }
}

const skip = (walk: Walk, end: number | null): Step => {
  if (end === null) return null
  walk.at = end
  return { kind: 'other' }
}

const classEnd = (pattern: string, from: number): number | null => {
  // A bracket right at the beginning stands for itself.
  let at = from + (pattern[from + 1] === '^' ? 2 : 1) + 1
  for (; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1
    else if (pattern[at] === '[' && pattern[at + 1] === ':') at = pattern.indexOf(':]', at) + 1
    else if (pattern[at] === ']') return at + 1
  }
  return null
}

const groupEnd = (pattern: string, from: number): number | null => {
  let depth = 0
  for (let at = from; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '[') {
      const end = classEnd(pattern, at)
      if (end === null) return null
      at = end - 1
    } else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}

/**
 * What one name of a path requires: itself, or parts of it where it has signs of a glob. Anything may stand around it:
 * programs take `@file`, `-ffile` and more.
 */
const patternsOfName = (name: string): string[] => {
  if (isName(name)) return [escaped(name)]
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
