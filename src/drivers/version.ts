/** Compares dotted version numbers; a pre-release counts as its release. */
export const isAtLeast = (version: string, least: string): boolean => {
  const have = numbers(version)
  const need = numbers(least)
  for (const [index, wanted] of need.entries()) {
    const got = have[index] ?? 0
    if (got !== wanted) return got > wanted
  }
  return true
}

const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number)
