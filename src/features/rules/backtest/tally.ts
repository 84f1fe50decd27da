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
    const { rule } = finding.rule
    const key = `${rule.name}\n${finding.action}`
    const acted = this.#rules.get(key) ?? {
      rule: { rule: rule.name, action: finding.action, isGuard: rule.guard },
      calls: new Map<string, Counted>(),
    }
    this.#rules.set(key, acted)
    const { calls } = acted
    const summary = summarizeCall(finding)
    const call = calls.get(summary) ?? {
      summary,
      count: 0,
      lastAt: null,
      agents: [],
      succeeded: 0,
      approved: 0,
      isDoubt: false,
      isLikelyFalse: false,
      agentSet: new Set(),
    }
    calls.set(summary, call)
    call.count += 1
    call.lastAt = at ?? call.lastAt
    call.isDoubt ||= finding.isDoubt
    call.agentSet.add(agent)
    return (ending) => (call[ending] += 1)
  }

  rules(): BacktestRule[] {
    return [...this.#rules.values()]
      .map(({ rule, calls: counted }) => {
        const calls = [...counted.values()]
          // A call that a person allowed, or that always went well, was perhaps none to stop.
          .map((call) => ({ ...call, isLikelyFalse: call.approved > 0 || call.succeeded === call.count }))
          .toSorted((a, b) => Number(b.isLikelyFalse) - Number(a.isLikelyFalse) || b.count - a.count)
          .map(({ agentSet, ...call }) => ({ ...call, agents: [...agentSet].toSorted() }))
        return {
          ...rule,
          count: calls.reduce((sum, { count }) => sum + count, 0),
          calls,
          likelyFalse: calls.filter((call) => call.isLikelyFalse).length,
        }
      })
      .toSorted((a, b) => b.count - a.count || a.rule.localeCompare(b.rule))
  }
}

/** The call on one line: the command, or what is done to which file and in which line. */
const summarizeCall = ({ subject, places }: Finding): string => {
  const { surface, action, prompt, tool } = subject
  const file = pathOf(subject)
  const [place] = places
  const line = file === null || place === undefined || place.target === 'path' ? '' : `: ${place.excerpt.trim()}`
  const url = action?.kind === 'fetch' ? action.url : null
  const said =
    action?.kind === 'shell'
      ? normalise(action.command)
      : `${surface} ${file ?? url ?? prompt ?? tool ?? ''}${line}`.trim()
  return said.replaceAll(/\s+/g, ' ').slice(0, summaryMax)
}
