import type { FailedTest } from '../../../contract/outputs/rule-tools.ts'
import { runBy } from '../allowed.ts'
import { evaluate } from '../evaluate.ts'
import { loadRules, toRuleSet } from '../load.ts'
import { noMemory } from '../memory.ts'
import { rootOf } from '../sources.ts'
import type { Finding, LoadedRule, RuleSet, RuleSource } from '../types.ts'
import { type Test, testCall } from './test-call.ts'

interface TestReport {
  passed: number
  failures: FailedTest[]
  untested: string[]
}

/** A rewrite changes nothing in a test, so it needs no trust; a program or a grammar of the file's own does. */
export const loadForTests = async (sources: readonly RuleSource[]): Promise<RuleSet> => {
  const { rules } = await loadRules(sources)
  const running = new Set(rules.filter(({ rule }) => runBy(rule).length > 0).map(({ file }) => file))
  return loadRules(sources.map((source) => ({ ...source, isTrusted: source.isTrusted || !running.has(source.file) })))
}

/** Runs the tests that stand in rules, each with its own rule alone. */
export const runTests = async (rules: readonly LoadedRule[], root: string): Promise<TestReport> => {
  const results = await Promise.all(
    rules.flatMap((loaded) => (loaded.rule.tests ?? []).map((test, index) => runTest(loaded, test, index + 1, root))),
  )
  const failures = results.filter((result) => result !== null)
  return {
    passed: results.length - failures.length,
    failures,
    untested: rules.filter(({ rule }) => (rule.tests ?? []).length === 0).map(({ rule }) => rule.name),
  }
}

const runTest = async (loaded: LoadedRule, test: Test, number: number, root: string): Promise<FailedTest | null> => {
  const { subject, world } = testCall(loaded, test, rootOf(loaded, root))
  // One that is switched off is tested all the same.
  const set = toRuleSet([{ ...loaded, rule: { ...loaded.rule, enabled: true } }], [])
  const stage = loaded.rule.action === 'rewrite' ? 'rewrite' : 'judge'
  const [finding] = await evaluate(set, [subject], world, noMemory, stage)
  const wrong = compareOutcome(test, finding)
  if (wrong === null) return null
  const { rule, file, line } = loaded
  const input = typeof test.input === 'string' ? test.input : JSON.stringify(test.input)
  return { rule: rule.name, file, line, test: number, input, ...wrong }
}

/** What was expected and what came, if these are not the same. */
const compareOutcome = (test: Test, finding: Finding | undefined): Pick<FailedTest, 'expected' | 'came'> | null => {
  const came = finding?.action ?? 'pass'
  const doubt = finding?.isDoubt ? ` (${finding.message})` : ''
  if (came !== test.expect) return { expected: test.expect, came: `${came}${doubt}` }
  if (test.message !== undefined && !finding?.message.includes(test.message))
    return { expected: `a message with ${JSON.stringify(test.message)}`, came: finding?.message ?? '' }
  if (test.rewrite !== undefined && finding?.text !== test.rewrite)
    return { expected: test.rewrite, came: finding?.text ?? 'nothing' }
  return null
}
