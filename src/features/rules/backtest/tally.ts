import type { BacktestRule, ReviewedCall } from '../../../contract/outputs/rule-tools.ts'
import { pathOf } from '../texts.ts'
import type { Finding } from '../types.ts'
import { normalise } from '../../../base/shell/normalise.ts'

interface Counted extends ReviewedCall {
  agentSet: Set<string>
}

interface Acted {
  rule: Omit<BacktestRule, 'calls' | 'count' | 'likelyFalse'>
  calls: Map<string, Counted>
}

/** The recorded outcome of a call that a rule would have stopped or changed. */
export type Ending = 'succeeded' | 'approved'

const summaryMax = 300

/** Counts what rules would have done, by rule and distinct call. */
export class Tally {
  readonly #rules = new Map<string, Acted>()

  /** Returns a function that is told how the call ended. */
  add(finding: Finding, at: number | null, agent: string): (ending: Ending) => void {
    const { calls } = this.#of(finding)
    const summary = summaryOf(finding)
    const call = calls.get(summary) ?? fresh(summary)
    calls.set(summary, call)
    call.count += 1
    call.lastAt = at ?? call.lastAt
    call.isDoubt ||= finding.isDoubt
    call.agentSet.add(agent)
    return (ending) => (call[ending] += 1)
  }

  rules(): BacktestRule[] {
    return [...this.#rules.values()]
      .map(({ rule, calls }) => reported(rule, [...calls.values()]))
      .toSorted((a, b) => b.count - a.count || a.rule.localeCompare(b.rule))
  }

  #of({ rule: { rule }, action }: Finding): Acted {
    const key = `${rule.name}\n${action}`
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    const acted = { rule: { rule: rule.name, action, isGuard: rule.guard }, calls: new Map<string, Counted>() }
    this.#rules.set(key, acted)
    return acted
  }
}

const fresh = (summary: string): Counted => ({
  summary,
  count: 0,
  lastAt: null,
  agents: [],
  succeeded: 0,
  approved: 0,
  isDoubt: false,
  isLikelyFalse: false,
  agentSet: new Set(),
})

/** A call that a person allowed, or that always went well, was perhaps none to stop. */
const isLikelyFalse = ({ approved, succeeded, count }: Counted): boolean => approved > 0 || succeeded === count

const reported = (rule: Acted['rule'], counted: readonly Counted[]): BacktestRule => {
  const calls = counted
    .map((call) => ({ ...call, isLikelyFalse: isLikelyFalse(call) }))
    .toSorted((a, b) => Number(b.isLikelyFalse) - Number(a.isLikelyFalse) || b.count - a.count)
    .map(({ agentSet, ...call }) => ({ ...call, agents: [...agentSet].toSorted() }))
  return {
    ...rule,
    count: calls.reduce((sum, { count }) => sum + count, 0),
    calls,
    likelyFalse: calls.filter((call) => call.isLikelyFalse).length,
  }
}

/** The call on one line: the command, or what is done to which file and in which line. */
const summaryOf = ({ subject, places }: Finding): string => {
  const { surface, action, prompt, tool } = subject
  const file = pathOf(subject)
  const [place] = places
  const line = file === null || place === undefined || place.target === 'path' ? '' : `: ${place.excerpt.trim()}`
  const what = action?.kind === 'shell' ? normalise(action.command) : (file ?? urlOf(subject) ?? prompt ?? tool ?? '')
  const said = action?.kind === 'shell' ? what : `${surface} ${what}${line}`.trim()
  return said.replaceAll(/\s+/g, ' ').slice(0, summaryMax)
}

const urlOf = ({ action }: Finding['subject']): string | null => (action?.kind === 'fetch' ? action.url : null)
