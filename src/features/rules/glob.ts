/** Globs in polynomial time: rule files are untrusted. */

const maxAlternatives = 256

/** The problem of a glob; null if it is valid. */
export const globProblem = (glob: string): string | null => {
  if (glob === '' || glob === '!') return 'it is empty'
  if (glob.length > 1000) return 'it is longer than 1,000 characters'
  let depth = 0
  // A backslash makes the letter after it plain.
  for (const letter of glob.replace(/\\[\s\S]/g, '')) {
    if (letter === '{') depth += 1
    if (letter === '}') depth -= 1
    if (depth < 0) return '`}` has no `{`'
  }
  if (depth > 0) return '`{` is never closed'
  return alternatives(glob).length > maxAlternatives ? `its braces stand for more than ${maxAlternatives} globs` : null
}

/** `a{b,c}` is `ab` and `ac`. What has unbalanced braces is itself. */
export const alternatives = (glob: string): string[] => {
  let expanded = ['']
  for (let at = 0; at < glob.length; ) {
    const choice = glob[at] === '{' ? choiceAt(glob, at) : null
    const parts = choice?.options.flatMap(alternatives) ?? [glob.slice(at, at + (glob[at] === '\\' ? 2 : 1))]
    expanded = expanded.flatMap((before) => parts.map((part) => before + part)).slice(0, maxAlternatives + 1)
    at = choice?.end ?? at + (parts[0]?.length || 1)
  }
  return expanded
}

const choiceAt = (glob: string, open: number): { options: string[]; end: number } | null => {
  const options: string[] = []
  let depth = 0
  let from = open + 1
  for (let at = open; at < glob.length; at += 1) {
    const letter = glob[at]
    if (letter === '\\') at += 1
    else if (letter === '{') depth += 1
    else if (letter === ',' && depth === 1) {
      options.push(glob.slice(from, at))
      from = at + 1
    } else if (letter === '}') {
      depth -= 1
      if (depth === 0) return { options: [...options, glob.slice(from, at)], end: at + 1 }
    }
  }
  return null
}

/** One piece of a glob without braces: a letter, any letter, any number of them. */
export type Piece = { is: 'letter'; letter: string } | { is: 'one' } | { is: 'many' }

export const piecesOf = (glob: string): Piece[] => {
  const pieces: Piece[] = []
  const letters = Array.from(glob)
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? ''
    if (letter === '*') {
      if (pieces.at(-1)?.is !== 'many') pieces.push({ is: 'many' })
    } else if (letter === '?') pieces.push({ is: 'one' })
    else if (letter === '\\' && at + 1 < letters.length) {
      at += 1
      pieces.push({ is: 'letter', letter: letters[at] ?? '' })
    } else pieces.push({ is: 'letter', letter })
  }
  return pieces
}

/**
 * Whether a pattern fits all of a list, where some parts stand for any number of its members. Going back to the last of
 * these alone is enough, so this takes at most the product of both lengths.
 */
const fitsAll = <Part, Member>(
  parts: readonly Part[],
  members: readonly Member[],
  isMany: (part: Part) => boolean,
  fits: (part: Part, member: Member) => boolean,
): boolean => {
  let [part, member, many, resume] = [0, 0, -1, 0]
  while (member < members.length) {
    const wanted = parts[part]
    if (wanted !== undefined && isMany(wanted)) {
      many = part
      resume = member
      part += 1
    } else if (wanted !== undefined && fits(wanted, members[member] as Member)) {
      part += 1
      member += 1
    } else if (many >= 0) {
      part = many + 1
      resume += 1
      member = resume
    } else return false
  }
  return parts.slice(part).every(isMany)
}

const isMany = ({ is }: Piece): boolean => is === 'many'
const fitsLetter = (piece: Piece, letter: string): boolean =>
  piece.is === 'one' || (piece.is === 'letter' && piece.letter === letter)

/** Fits whole words; `*` stands for any letters, also slashes. */
export const wordGlob = (glob: string): ((word: string) => boolean) => {
  if (!/[*?{\\]/.test(glob)) return (word) => word === glob
  const all = alternatives(glob).map(piecesOf)
  return (word) => {
    const letters = Array.from(word)
    return all.some((pieces) => fitsAll(pieces, letters, isMany, fitsLetter))
  }
}

export const wordGlobs = (globs: readonly string[]): ((word: string) => boolean) => {
  const each = globs.map(wordGlob)
  return (word) => each.some((fits) => fits(word))
}

/** The same, where `!` takes out again: the last one that fits counts. */
export const nameGlobs = (globs: readonly string[]): ((word: string) => boolean) => {
  const each = globs.map((glob) => ({ isOut: glob.startsWith('!'), fits: wordGlob(glob.replace(/^!/, '')) }))
  return (word) => each.findLast(({ fits }) => fits(word))?.isOut === false
}

/** Fits paths: `*` and `?` stay within a name, `**` stands for any number of directories, `a/**` is also `a` itself. */
export const pathGlob = (glob: string): ((path: string) => boolean) => {
  const all = alternatives(glob.endsWith('/') ? `${glob}**` : glob).map((each) =>
    each.split('/').map((segment): Segment => (segment === '**' ? 'any' : wordGlob(segment))),
  )
  return (path) => {
    const names = path.split('/')
    return all.some((segments) => fitsAll(segments, names, isAny, fitsName))
  }
}

type Segment = 'any' | ((name: string) => boolean)
const isAny = (segment: Segment): boolean => segment === 'any'
const fitsName = (segment: Segment, name: string): boolean => segment !== 'any' && segment(name)

/** The directories of a path glob before its first wildcard. */
export const globBase = (glob: string): string => {
  const segments = glob.split('/')
  const wild = segments.findIndex((segment) => /[*?{]/.test(segment))
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/')
}
