/** RE2 has no look-around: an expression that a name fits if it is none of these is made letter by letter. */

const literal = (letters: string): string => letters.replaceAll(/[^\w]/g, '\\$&')

/**
 * Fits the beginning of each name that is none of `names`, or a longer one. `end` is a class of the signs that a name ends
 * before; `first` is one of those that it must not begin with.
 */
export const otherThan = (names: readonly string[], end: string, first = ''): string => {
  const from = (rest: readonly string[], isFirst: boolean): string => {
    const letters = [...new Set(rest.flatMap((name) => name.charAt(0) || []))]
    const known = letters.map(
      (letter) =>
        `${literal(letter)}${from(
          rest.filter((name) => name.startsWith(letter)).map((name) => name.slice(1)),
          false,
        )}`,
    )
    const other = `[^${end}${isFirst ? literal(first) : ''}${letters.map(literal).join('')}]`
    const isName = rest.includes('')
    return `(?:${[...known, other, ...(isFirst || isName ? [] : [`[${end}]`, '$'])].join('|')})`
  }
  return from(names, true)
}
