const takesDriverArgs = ['up', 'here', 'run', 'notify']

interface CommandLine {
  words: string[]
  /** What follows `--` in `rein up`, `rein here`, `rein run` and `rein notify`; elsewhere the parser takes it as arguments. */
  driverArgs: string[]
  json: boolean
}

export const readCommandLine = (argv: string[]): CommandLine => {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const rest = end === -1 ? [] : argv.slice(end)
  const words = own.flatMap((word) => {
    const [, name, value] = /^(--[a-z][a-z-]*)=([^]*\n[^]*)$/.exec(word) ?? []
    return name === undefined || value === undefined ? [word] : [name, value]
  })
  const json = own.includes('--json')
  return takesDriverArgs.includes(own[0] ?? '')
    ? { words, driverArgs: rest.slice(1), json }
    : { words: [...words, ...rest], driverArgs: [], json }
}
