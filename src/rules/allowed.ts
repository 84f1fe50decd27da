import type { Matcher, Rule } from '../contract/rule.ts'
import { listed } from './match/state.ts'

/** What a rule does beside forbidding, in words for whoever is to trust it. */
export const allowedBy = (rule: Rule): string[] => [
  ...(rule.rewrite === undefined
    ? []
    : [
        `${rule.name} changes calls: ${JSON.stringify(rule.rewrite.pattern)} becomes ${JSON.stringify(rule.rewrite.with)}`,
      ]),
  ...listed(rule.when ?? [])
    .flatMap(runBy)
    .map((what) => `${rule.name} ${what}`),
]

const runBy = (matcher: Matcher): string[] => {
  if ('all' in matcher) return matcher.all.flatMap(runBy)
  if ('any' in matcher) return matcher.any.flatMap(runBy)
  if ('not' in matcher) return runBy(matcher.not)
  if ('markdown' in matcher) return runBy(matcher.markdown.when)
  if ('external' in matcher) return [`runs: ${matcher.external.command.map((word) => JSON.stringify(word)).join(' ')}`]
  if ('tree' in matcher && matcher.tree.language.endsWith('.wasm'))
    return [`loads the grammar ${matcher.tree.language}`]
  return []
}
