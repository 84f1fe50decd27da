/** How well the typed letters fit a name: all of them in their order, best at the beginning of words. Null: not at all. */
const scoreOf = (name: string, typed: string): number | null => {
  const letters = name.toLowerCase()
  let at = 0
  let score = 0
  for (const letter of typed.toLowerCase().replaceAll(' ', '')) {
    const found = letters.indexOf(letter, at)
    if (found < 0) return null
    const isStart = found === 0 || /[\s/_-]/.test(letters[found - 1] ?? '')
    score += found === at && at > 0 ? 3 : isStart ? 2 : 0
    score -= (found - at) / 50
    at = found + 1
  }
  return score
}

/** The best first; of equal ones the order stays. */
export const findCommands = <T extends { name: string }>(commands: readonly T[], typed: string): T[] =>
  commands
    .flatMap((command) => {
      const score = scoreOf(command.name, typed)
      return score === null ? [] : [{ command, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ command }) => command)
