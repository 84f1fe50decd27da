/** One line of a difference; the number is the one in the old file for what goes, else in the new one. */
interface DiffLine {
  sign: ' ' | '+' | '-'
  number: number
  text: string
}

/** The shortest difference of more pairs would take too long. */
const comparedPairs = 250_000

/** What turns one text into the other, line by line, with what is the same at both ends. */
export const diffOf = (before: string, after: string, first = 1): DiffLine[] => {
  const [old, now] = [linesOf(before), linesOf(after)]
  const same = commonStart(old, now)
  const sameEnd = commonStart(old.slice(same).toReversed(), now.slice(same).toReversed())
  const signs = [
    ...unchanged(old.slice(0, same)),
    ...changes(old.slice(same, old.length - sameEnd), now.slice(same, now.length - sameEnd)),
    ...unchanged(old.slice(old.length - sameEnd)),
  ]
  let [oldLine, newLine] = [first, first]
  return signs.map((line) => {
    const number = line.sign === '-' ? oldLine : newLine
    if (line.sign !== '+') oldLine += 1
    if (line.sign !== '-') newLine += 1
    return { ...line, number }
  })
}

type Signed = Omit<DiffLine, 'number'>

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const unchanged = (lines: string[]): Signed[] => lines.map((text) => ({ sign: ' ', text }))

const commonStart = (a: string[], b: string[]): number => {
  const end = Math.min(a.length, b.length)
  let same = 0
  while (same < end && a[same] === b[same]) same += 1
  return same
}

const changes = (old: string[], now: string[]): Signed[] => {
  const removed = old.map((text): Signed => ({ sign: '-', text }))
  const added = now.map((text): Signed => ({ sign: '+', text }))
  if (old.length * now.length > comparedPairs || old.length * now.length === 0) return [...removed, ...added]
  // For each pair of places, how many lines are the same from there on.
  const table = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = table[i]
      if (row !== undefined) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: Signed[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [gone, come] = [old[i], now[j]]
    if (gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone })
      i += 1
      j += 1
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: gone })
      i += 1
    } else {
      lines.push({ sign: '+', text: come ?? '' })
      j += 1
    }
  }
  return lines
}
