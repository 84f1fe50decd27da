const programs = new Set(['git', 'jj', 'hg', 'svn'])
const subcommands = new Set(['commit', 'ci', 'describe', 'merge', 'stash', 'tag'])

/** Whether a command carries a message about one change, which does not apply to another change. */
export const hasMessage = (command: string): boolean => {
  const words = command.split(/[\s=]+/)
  const rest = words.slice(words.findIndex((word) => programs.has(word)))
  return (
    programs.has(rest[0] ?? '') &&
    rest.some((word) => subcommands.has(word)) &&
    rest.some((word) => /^(?:-[a-z]*m|--message)$/.test(word))
  )
}
