import { type Field, field, unknown } from './state.ts'

/** Tests that leave out nothing that matters: what they find is the whole tree. */
const NO_FILTER =
  /^-(?:type|mindepth|depth|delete|print|print0|printf|fprint|fprint0|fprintf|xdev|mount|exec|execdir|ok|okdir|ignore_readdir_race)$/

const MOST_STARTS = 16

/** Where `find` begins, and what it looks for. */
export function findParts(args: readonly Field[]): { starts: readonly Field[]; tests: readonly Field[] } {
  const first = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPD]$/.test(text))
  const starts = args.slice(0, first < 0 ? undefined : first).filter(({ text }) => !text.startsWith('-'))
  return { starts: starts.length === 0 ? [field('.')] : starts, tests: first < 0 ? [] : args.slice(first) }
}

/** What it finds, as patterns: all of a tree is its top, and of what is picked by other tests than its name, anything below. */
export function foundBy(args: readonly Field[]): readonly Field[] {
  const { starts, tests } = findParts(args)
  const commands = tests.findIndex(({ text }) => /^-(?:exec|execdir|ok|okdir)$/.test(text))
  const asked = commands < 0 ? tests : tests.slice(0, commands)
  const filters = asked.filter(({ text }) => /^-[a-z]/.test(text) && !NO_FILTER.test(text))
  if (starts.length > MOST_STARTS) return [unknown('{}')]
  if (filters.length === 0) return starts
  const names = readNamePatterns(asked)
  return starts.flatMap((start) =>
    names.map((name) => ({ ...start, text: `${start.text}/**/${name}`, isPattern: true })),
  )
}

/** What each branch of `-o` looks for; one that is pruned finds nothing, and of what a name is not it may be anything. */
function readNamePatterns(asked: readonly Field[]): readonly string[] {
  const branches: Field[][] = [[]]
  for (const each of asked) {
    if (/^-or?$/.test(each.text)) branches.push([])
    else branches.at(-1)?.push(each)
  }
  const names = branches
    .filter((branch) => branches.length === 1 || !branch.some(({ text }) => text === '-prune'))
    .map((branch) => {
      const at = branch.findIndex(
        ({ text }, index) => /^-i?name$/.test(text) && !/^(?:!|-not)$/.test(branch[index - 1]?.text ?? ''),
      )
      const name = at < 0 ? undefined : branch[at + 1]
      return name?.isKnown === true ? name.text : '*'
    })
  return names.length === 0 || names.length > MOST_STARTS ? ['*'] : [...new Set(names)]
}

/** What it prints, as patterns; null where it does more than print names. */
export function printedByFind(args: readonly Field[]): string | null {
  const format = args[args.findIndex(({ text }) => text === '-printf') + 1]?.text ?? ''
  const isOther = args.some(
    ({ text }) => /^-(?:exec|ok|delete|ls)/.test(text) || (text === '-printf' && !format.includes('%p')),
  )
  if (isOther) return null
  const found = foundBy(args)
  // All files of a project are nobody's in particular.
  if (found.some(({ text, isKnown }) => !isKnown || (/(?:^[^/*]*|\*)$/.test(text) && !/^(?:[/~]|\.\.)/.test(text))))
    return null
  return found.map(({ text, isPattern }) => (isPattern ? text : `${text.replace(/\/$/, '')}/**`)).join('\n')
}
