import { evaluate } from '../evaluate.ts'
import { withText } from '../texts.ts'
import type { Finding, RuleMemory, RuleSet, Subject, World } from '../types.ts'

/** All that rules say to one call: those that rewrite first, then all others on what these made of it. */
export const judgeWith =
  (set: RuleSet) =>
  async (subjects: readonly Subject[], world: World, memory: RuleMemory): Promise<Finding[]> => {
    const found = subjects.map(async (subject) => {
      const rewrites = await evaluate(set, [subject], world, memory, 'rewrite')
      const text = rewrites.findLast((finding) => finding.text !== null)?.text ?? null
      const rewritten = (text === null ? null : withText(subject, text)) ?? subject
      return [...rewrites, ...(await evaluate(set, [rewritten], world, memory, 'judge'))]
    })
    const findings = (await Promise.all(found)).flat()
    // Once per rule: a patch of ten files is one call.
    return [...new Map(findings.toReversed().map((finding) => [finding.rule, finding])).values()].toReversed()
  }
