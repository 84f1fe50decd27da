/** A path in the recording, and its place in the replay. */
export type PathPair = readonly [from: string, to: string]

/** Replaces the start of every path in a text, the longest matches first. */
export const mapText = (text: string, pairs: readonly PathPair[]): string => {
  const known = pairs.toSorted(([a], [b]) => b.length - a.length)
  const escaped = known.map(([from]) => from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\w.-])(?:${escaped.join('|')})(?![\\w.-]*\\w)`, 'g')
  return known.length === 0
    ? text
    : text.replace(pattern, (found) => known.find(([from]) => from === found)?.[1] ?? found)
}

/** The same in every text of a value. */
export const mapPaths = <T>(value: T, pairs: readonly PathPair[]): T =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? mapText(one, pairs) : one)) as T

export const reversed = (pairs: readonly PathPair[]): PathPair[] => pairs.map(([from, to]) => [to, from])
