import { type Field, field, unknown } from './state.ts'

/** Tests that leave out nothing that matters: what they find is the whole tree. */
const NO_FILTER = /^-(?:type|mindepth|depth|delete|print|print0|xdev|mount|exec|execdir|ok|okdir|ignore_readdir_race)$/

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
  const at = asked.findIndex(({ text }) => /^-i?name$/.test(text))
  const name = at < 0 ? undefined : asked[at + 1]
  const below = name?.isKnown === true ? name.text : '*'
  return starts.map((start) => ({ ...start, text: `${start.text}/**/${below}`, isPattern: true }))
}
