/** The candidate that `word` was probably meant to be, if one is close enough. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = mostEdits(word.length) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Two edits turn many a short word into any other: `help` into `shell`. */
const mostEdits = (length: number): number => {
  if (length < 2) return 0
  return length < 5 ? 1 : Math.max(2, Math.floor(length / 3))
}

/** Characters to insert, delete, change or swap with their neighbour to get from one word to the other. */
const editDistance = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= to.length; column += 1) {
      const changed = at(row, column - 1) + (from[line - 1] === to[column - 1] ? 0 : 1)
      const isSwapped = line > 1 && from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]
      const swapped = isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(changed, swapped, at(row, column) + 1, at(next, column - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

const at = (row: number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY

/** What to print below an unknown word: the word that was probably meant, else how to find it. */
export const hintNearest = (word: string, candidates: Iterable<string>, otherwise: string): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}

/** The end of a sentence about a word that is unknown. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? '.' : `; did you mean ${meant}?`
}
