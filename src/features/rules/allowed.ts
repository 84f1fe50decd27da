import type { Matcher, Rule } from '../../contract/rule.ts'
import { listed } from './match/state.ts'

/** Describes the effects of a rule beside forbidding, for the person who has to trust it. */
export const allowedBy = (rule: Rule): string[] => [
  ...(rule.rewrite === undefined
    ? []
    : [
        `${rule.name} changes calls: ${JSON.stringify(rule.rewrite.pattern)} becomes ${JSON.stringify(rule.rewrite.with)}`,
      ]),
  ...runBy(rule).map((what) => `${rule.name} ${what}`),
]

/** The programs and grammars of its own. */
export const runBy = (rule: Rule): string[] => listed(rule.when ?? []).flatMap(run)

const run = (matcher: Matcher): string[] => {
  if ('all' in matcher) return matcher.all.flatMap(run)
  if ('any' in matcher) return matcher.any.flatMap(run)
  if ('not' in matcher) return run(matcher.not)
  if ('markdown' in matcher) return run(matcher.markdown.when)
  if ('external' in matcher) return [`runs: ${matcher.external.command.map((word) => JSON.stringify(word)).join(' ')}`]
  if ('tree' in matcher && matcher.tree.language.endsWith('.wasm'))
    return [`loads the grammar ${matcher.tree.language}`]
  return []
}
