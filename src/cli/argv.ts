const takesDriverArgs = ['up', 'here', 'run', 'notify']

interface CommandLine {
  words: string[]
  /** What follows `--` in `rein up`, `rein here`, `rein run` and `rein notify`; elsewhere the parser takes it as arguments. */
  driverArgs: string[]
  json: boolean
}

/** `rein help …` and `rein version` are the flags of that name. */
const asFlags = ([first, ...others]: string[]): string[] => {
  if (first === 'help') return others.includes('--all') ? ['--help-all'] : [...others, '--help']
  return (first === 'version' || first === '-v') && others.length === 0
    ? ['--version']
    : [first ?? [], ...others].flat()
}

export const readCommandLine = (given: string[]): CommandLine => {
  const argv = asFlags(given)
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
