/** The parser's patterns for `--name=value` do not go over a line break. */
const splitMultiline = (word: string): string[] => {
  const [, name, value] = /^(--[a-z][a-z-]*)=([^]*\n[^]*)$/.exec(word) ?? []
  return name === undefined || value === undefined ? [word] : [name, value]
}

const takesDriverArgs = ['up', 'here', 'run']

export interface CommandLine {
  words: string[]
  /** What follows `--` in `rein up`, `rein here` and `rein run`; elsewhere the parser takes it as arguments. */
  driverArgs: string[]
  json: boolean
}

export const readCommandLine = (argv: string[]): CommandLine => {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const rest = end === -1 ? [] : argv.slice(end)
  const words = own.flatMap(splitMultiline)
  const json = own.includes('--json')
  return takesDriverArgs.includes(own[0] ?? '')
    ? { words, driverArgs: rest.slice(1), json }
    : { words: [...words, ...rest], driverArgs: [], json }
}
