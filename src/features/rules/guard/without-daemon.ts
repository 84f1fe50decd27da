import type { Matcher, Rule } from '../../../contract/rule.ts'
import type { Finding } from '../types.ts'

/** Facts that only the daemon knows: the agent, its leases and its budget. */
const ofAgent = ['agent', 'driver', 'host', 'subagent', 'lease', 'budget_used'] as const

const needsDaemon = (matcher: Matcher): boolean => {
  if ('all' in matcher) return matcher.all.some(needsDaemon)
  if ('any' in matcher) return matcher.any.some(needsDaemon)
  if ('not' in matcher) return needsDaemon(matcher.not)
  if ('markdown' in matcher) return needsDaemon(matcher.markdown.when)
  if ('state' in matcher) return ofAgent.some((field) => matcher.state[field] !== undefined)
  return 'ran' in matcher || 'external' in matcher
}

/**
 * Whether a rule holds while no daemon answers: a guard in any case, and one that blocks or asks if a process can judge it that
 * knows nothing of agents and of what they did before.
 */
export const holdsWithoutDaemon = (rule: Rule): boolean => {
  if (rule.guard) return true
  const isLimited = rule.once !== undefined || rule.cooldown !== undefined || rule.max !== undefined
  const isStopping = rule.action === 'block' || rule.action === 'ask'
  return isStopping && !isLimited && ![rule.when ?? []].flat().some(needsDaemon)
}

/** Whether a finding stops the call then. */
export const stopsWithoutDaemon = ({ action, rule: { rule } }: Finding): boolean =>
  (action === 'block' || action === 'ask') && holdsWithoutDaemon(rule)

/** The addition to a denial where a person would have been asked. */
export const nobodyToAsk =
  "Nobody can be asked while Rein's daemon is away, so it was not run: a person can start it with `rein daemon start`."
