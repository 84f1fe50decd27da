const pattern = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/

interface Semver {
  numbers: number[]
  prerelease: string[]
}

/** False too if one of them is no version: then nothing says that it is older. */
export const isOlder = (version: string, than: string): boolean => {
  const [left, right] = [parse(version), parse(than)]
  if (left === null || right === null) return false
  return (compareLists(left.numbers, right.numbers, (a, b) => a - b) || comparePrerelease(left, right)) < 0
}

const parse = (text: string): Semver | null => {
  const match = pattern.exec(text.trim())
  if (match === null) return null
  return { numbers: match.slice(1, 4).map(Number), prerelease: match[4]?.split('.') ?? [] }
}

/** A release comes after its own prereleases. */
const comparePrerelease = (left: Semver, right: Semver): number => {
  if (left.prerelease.length === 0 || right.prerelease.length === 0)
    return right.prerelease.length - left.prerelease.length
  return compareLists(left.prerelease, right.prerelease, compareIdentifiers)
}

const compareLists = <T>(left: T[], right: T[], compare: (a: T, b: T) => number): number => {
  for (const [index, a] of left.entries()) {
    const b = right[index]
    if (b === undefined) return 1
    const order = compare(a, b)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const compareIdentifiers = (a: string, b: string): number => {
  const numeric = [a, b].map((text) => /^\d+$/.test(text))
  if (numeric[0] && numeric[1]) return Number(a) - Number(b)
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
  return Number(a > b) - Number(a < b)
}
