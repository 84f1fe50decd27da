import type { Matcher } from '../../../contract/rule.ts'
import type { CheckFinding } from '../../../contract/outputs/rule-tools.ts'
import { evaluate } from '../evaluate.ts'
import { toRuleSet } from '../load.ts'
import { listed } from '../match/state.ts'
import { noMemory } from '../memory.ts'
import type { LoadedRule, RuleSet, Subject, World } from '../types.ts'

/** The rules for a file: as a written file, and for rules that only look at edits as an edit. */
export interface FileRules {
  write: RuleSet
  edit: RuleSet
  count: number
}

/** The rules that look into files. One that only names files speaks of the act of changing them, which a check is not. */
export const fileRules = (rules: readonly LoadedRule[]): FileRules => {
  const looking = rules.filter(
    ({ rule }) => rule.enabled && rule.action !== 'rewrite' && listed(rule.when ?? []).some(looksAtText),
  )
  const write = looking.filter(({ surfaces }) => surfaces.includes('write'))
  const edit = looking.filter(({ surfaces }) => surfaces.includes('edit') && !surfaces.includes('write'))
  return { write: toRuleSet(write, []), edit: toRuleSet(edit, []), count: write.length + edit.length }
}

const aboutCall = ['path', 'input']

const looksAtText = (matcher: Matcher): boolean => {
  if ('all' in matcher) return matcher.all.some(looksAtText)
  if ('any' in matcher) return matcher.any.some(looksAtText)
  if ('not' in matcher) return looksAtText(matcher.not)
  if ('markdown' in matcher || 'tree' in matcher) return true
  if ('regex' in matcher) return typeof matcher.regex === 'string' || !aboutCall.includes(matcher.regex.on ?? '')
  return 'external' in matcher && !aboutCall.includes(matcher.external.on ?? '')
}

/** Checks a present file; `file` is its path from the top of the project. */
export const checkFile = async (
  { write, edit }: FileRules,
  file: string,
  content: string,
  world: World,
): Promise<CheckFinding[]> => {
  const found = [
    ...(await evaluate(write, [subjectOf('write', file, content)], world, noMemory)),
    ...(await evaluate(edit, [subjectOf('edit', file, content)], world, noMemory)),
  ]
  return found.flatMap(({ rule, action, message, isDoubt, places: all }) => {
    const places = all.filter(({ target }) => !aboutCall.includes(target))
    const common = { rule: rule.rule.name, action, isGuard: rule.rule.guard, isDoubt, file, message }
    // One for each place, and one for the whole file where there is none.
    return (places.length === 0 ? [{ start: 0, end: 0 }] : places).map(({ start, end }) => {
      const [from, to] = [positionOf(content, start), positionOf(content, Math.max(start, end))]
      const line = content.slice(start - (from.column - 1)).split('\n', 1)[0] ?? ''
      const text = line.replace(/\r$/, '')
      return { ...common, line: from.line, column: from.column, endLine: to.line, endColumn: to.column, text }
    })
  })
}

const subjectOf = (surface: 'write' | 'edit', file: string, content: string): Subject => ({
  surface,
  action: { kind: 'write', path: file, content },
  tool: null,
  input: {},
  prompt: null,
})

const positionOf = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 }
}
