import { Rule } from '../../../contract/rule.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import type { Doubt } from '../match/answer.ts'
import type { LoadedRule, RuleProblem } from '../types.ts'
import { deniedBy } from './broken.ts'

const problemsTold = 3

/**
 * One guard for each file that may hold unreadable guards. It is in doubt about everything that these may look
 * at, and in doubt a guard blocks.
 */
export const standIns = (problems: readonly RuleProblem[]): LoadedRule[] => {
  const closing = problems.filter((problem) => deniedBy(problem).length > 0)
  const files = [...new Set(closing.map(({ file }) => file))]
  return files.map((file) => standIn(closing.filter((problem) => problem.file === file)))
}

const longestName = 600

/** The name of a guard in the guard file, and for an unreadable one its problems. */
export const toldName = ({ rule, isStandIn }: LoadedRule): string =>
  isStandIn === true ? `${rule.name} (${escapeUnsafe(rule.message ?? '').slice(0, longestName)})` : rule.name

const standIn = (problems: readonly RuleProblem[]): LoadedRule => {
  const [{ file, line } = { file: '', line: 1 }] = problems
  const surfaces = [...new Set(problems.flatMap(deniedBy))]
  const told = problems.slice(0, problemsTold).map((problem) => {
    const place = `${problem.file}:${problem.line}:${problem.column}`
    return `${place}: ${problem.message}${problem.hint === '' ? '' : ` (${problem.hint})`}`
  })
  const more = problems.length > problemsTold ? ` and ${problems.length - problemsTold} more` : ''
  const doubt: Doubt = {
    kind: 'doubt',
    why: `a guard rule cannot be read, so all that it may forbid is denied: ${told.join('; ')}${more}`,
    advice:
      'A person has to put that file right, not you: tell them. `rein rules check --rules-only` shows what is wrong; when it is right, this is allowed at once.',
    isClosed: true,
  }
  const message = `${doubt.why}. ${doubt.advice}`
  return {
    rule: Rule.parse({ name: 'broken-guard', on: surfaces, guard: true, message }),
    origin: 'built-in',
    file,
    line,
    surfaces,
    files: null,
    // By Rein's own tools it hears from people, and tells them.
    tools: (name) => !name.startsWith('rein/'),
    isHeld: false,
    quick: () => true,
    fits: () => doubt,
    replaced: () => null,
    isStandIn: true,
  }
}
