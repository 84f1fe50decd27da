const programs = new Set(['git', 'jj', 'hg', 'svn'])
const subcommands = new Set(['commit', 'ci', 'describe', 'merge', 'stash', 'tag'])

/** Whether it carries a message about one change: what somebody said about theirs is nothing to say about yours. */
export const hasMessage = (command: string): boolean => {
  const words = command.split(/[\s=]+/)
  const rest = words.slice(words.findIndex((word) => programs.has(word)))
  return programs.has(rest[0] ?? '') && rest.some((word) => subcommands.has(word)) && rest.some(isMessageFlag)
}

const isMessageFlag = (word: string): boolean => /^(?:-[a-z]*m|--message)$/.test(word)
