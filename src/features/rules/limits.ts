import type { Matcher } from '../../contract/rule.ts'
import { listed } from './match/state.ts'
import type { LoadedRule, RuleProblem, RuleSource } from './types.ts'

/** Repositories are untrusted: this much of their rules is read, and the rest is reported. */
export const filesMax = 100
export const bytesMax = 1024 * 1024
export const rulesMax = 2000
export const queriesMax = 200

const hint = 'Take out what is not needed, or put it into your own rules.'

const tooMuch = (file: string, line: number, what: string): RuleProblem => ({
  file,
  line,
  column: 1,
  message: `${what}: what is here and after it does not hold`,
  hint,
  isGuard: true,
})

/** The sources that are read, in their order, and what is wrong with the others. */
export const withinLimits = (
  sources: readonly RuleSource[],
): { read: readonly RuleSource[]; problems: readonly RuleProblem[] } => {
  let [files, bytes] = [0, 0]
  const why = (source: RuleSource): string | null => {
    if (source.origin !== 'project') return null
    files += 1
    bytes += Buffer.byteLength(source.text)
    if (files > filesMax) return `the project has more than ${filesMax} files of rules`
    return bytes > bytesMax ? `the project has more than ${bytesMax / 1024} KiB of rules` : null
  }
  const told = sources.map((source) => ({ source, what: why(source) }))
  return {
    read: told.filter(({ what }) => what === null).map(({ source }) => source),
    problems: told.flatMap(({ source, what }) => (what === null ? [] : [tooMuch(source.file, 1, what)])),
  }
}

/** The same for rules; one problem is enough for all that follow in a file. */
export const rulesWithinLimits = (rules: readonly LoadedRule[]): { held: LoadedRule[]; problems: RuleProblem[] } => {
  let [count, queries] = [0, 0]
  const problems = new Map<string, RuleProblem>()
  const held = rules.filter((loaded) => {
    const { origin, file, line, rule } = loaded
    if (origin !== 'project') return true
    count += 1
    queries += listed(rule.when ?? []).reduce((sum, matcher) => sum + queriesIn(matcher), 0)
    if (count <= rulesMax && queries <= queriesMax) return true
    const what = count > rulesMax ? `${rulesMax} rules` : `${queriesMax} queries of trees`
    if (!problems.has(file)) problems.set(file, tooMuch(file, line, `the project has more than ${what}`))
    return false
  })
  return { held, problems: [...problems.values()] }
}

const queriesIn = (matcher: Matcher): number => {
  const all = (matchers: readonly Matcher[]): number => matchers.reduce((sum, one) => sum + queriesIn(one), 0)
  if ('all' in matcher) return all(matcher.all)
  if ('any' in matcher) return all(matcher.any)
  if ('not' in matcher) return queriesIn(matcher.not)
  if ('markdown' in matcher) return queriesIn(matcher.markdown.when)
  return 'tree' in matcher ? 1 : 0
}
