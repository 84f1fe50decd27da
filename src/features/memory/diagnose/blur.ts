const EXTENSIONS =
  'py|pyc|pyi|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|rs|c|h|cc|cpp|hpp|java|kt|cs|rb|php|swift|sh|json|jsonl|yaml|yml|toml|md|txt|lock|log|sql|html|css|so|dll|o|a'

/** What differs from run to run although the error is the same; the order counts. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"`)>\]]+/gi, '<url>'],
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|s|sec|secs|seconds?|min|minutes?)\b/g, '<time>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<hex>'],
  [/(?:\b[A-Za-z]:)?[\w.@~+-]*(?:[\\/][\w.@~+*-]+)+[\\/]?(?::\d+){0,2}/g, '<path>'],
  [new RegExp(`\\b[\\w.-]+\\.(?:${EXTENSIONS})\\b(?::\\d+){0,2}`, 'g'), '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g, '<hex>'],
  [/\b\d+(?:[.,]\d+)*\b/g, '<n>'],
]
const QUOTED = /(?<![A-Za-z])'([^']*)'|"([^"]*)"|`([^`']*)[`']|‘([^’]*)’|“([^”]*)”/g
const NAME = /^(?:<\w+>|[A-Za-z_@$][\w.@$-]{0,40})$/
const LONGEST = 160

/** A line of output without what changes from run to run. Names stay, even in quotes: they are what went wrong. */
export function blur(line: string): string {
  const still = CHANGING.reduce((text, [pattern, mark]) => text.replaceAll(pattern, mark), line)
  return still
    .replaceAll(QUOTED, (_all, ...groups: unknown[]) => unquoted(groups))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
}

const unquoted = (groups: readonly unknown[]): string => {
  const inside = groups.slice(0, 5).find((group): group is string => typeof group === 'string') ?? ''
  return NAME.test(inside) ? inside : '<text>'
}
