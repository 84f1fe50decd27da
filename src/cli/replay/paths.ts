/** Where something was, and where it is now. */
export type PathPair = readonly [from: string, to: string]

/** Every path that begins with the one of a pair begins with the other afterwards; in any text, the longest ones first. */
export const mapText = (text: string, pairs: readonly PathPair[]): string => {
  const known = pairs.toSorted(([a], [b]) => b.length - a.length)
  const pattern = new RegExp(`(?<![\\w.-])(?:${known.map(([from]) => escaped(from)).join('|')})(?![\\w.-]*\\w)`, 'g')
  return known.length === 0
    ? text
    : text.replace(pattern, (found) => known.find(([from]) => from === found)?.[1] ?? found)
}

/** The same in every text of a value. */
export const mapPaths = <T>(value: T, pairs: readonly PathPair[]): T =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? mapText(one, pairs) : one)) as T

export const reversed = (pairs: readonly PathPair[]): PathPair[] => pairs.map(([from, to]) => [to, from])

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
