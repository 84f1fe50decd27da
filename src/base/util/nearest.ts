/** The candidate that `word` was probably meant to be, if one is close enough. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Characters to insert, delete or change to get from one word to the other. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const changed = at(row, column - 1) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(changed, at(row, column) + 1, at(next, column - 1) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

const at = (row: number[], index: number): number => row[index] ?? 0

/** The end of a sentence about a word that is unknown. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? '.' : `; did you mean ${meant}?`
}
