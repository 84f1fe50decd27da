/** Whether a text matches a pattern, in which `*` stands for anything. In one pass: a regular expression made of many `*` could take forever. */
export const matches = (pattern: string, text: string): boolean => {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** Whether some text matches both: if their beginnings and ends fit, each `*` matches the middle of the other. */
export const overlap = (one: string, other: string): boolean => {
  if (!one.includes('*')) return matches(other, one)
  if (!other.includes('*')) return matches(one, other)
  const [a, b] = [endsOf(one), endsOf(other)]
  const canBegin = a.first.startsWith(b.first) || b.first.startsWith(a.first)
  return canBegin && (a.last.endsWith(b.last) || b.last.endsWith(a.last))
}

const endsOf = (pattern: string): { first: string; last: string } => ({
  first: pattern.slice(0, pattern.indexOf('*')),
  last: pattern.slice(pattern.lastIndexOf('*') + 1),
})
