import { stringify } from 'yaml'
import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import type { Rule } from '../../../contract/rule.ts'
import { type Evidence, quoted } from './evidence.ts'

/** A rule as an author writes it: without what is usual. */
export type DraftRule = Omit<Partial<Rule>, 'name' | 'on'> & Pick<Rule, 'name' | 'on'>

const shownEvidence = 5

/** A rule file for a person to look at: why, then the rule. */
export const proposalOf = (why: Proposal['why'], rule: DraftRule, evidence: readonly Evidence[]): Proposal => {
  // What people and agents wrote stands in comments, one line each: it can say nothing in the file.
  const lines = [
    `# Proposed, not in force. ${reasons[why]} ${evidence.length} times:`,
    ...evidence
      .slice(-shownEvidence)
      .map(({ at, who, what }) => `#   ${new Date(at).toISOString()} ${who}: ${quoted(what)}`),
    '# To put it in force, look at it and move it up one directory.',
  ]
  return {
    name: rule.name,
    why,
    count: evidence.length,
    evidence: evidence.map(({ at, who, what }) => ({ at, who, what })),
    yaml: [...lines, stringify({ version: 1, rules: [rule] }, { lineWidth: 100 })].join('\n'),
    file: null,
  }
}

const reasons = {
  denied: 'People refused this',
  corrected: 'People said this',
  failed: 'This failed, and something else helped',
} as const

/** A name for a rule, of any words. */
export const nameOf = (...words: string[]): string =>
  words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '')
