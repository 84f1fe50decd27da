import { z } from 'zod'
import {
  ExternalMatcher,
  RanMatcher,
  RegexMatcher,
  Rule,
  ShellMatcher,
  StateMatcher,
  TreeMatcher,
} from '../../contract/rule.ts'
import { isObject } from '../../base/util/json.ts'
import { issuesOf, meantHint, nameOf } from './field-issues.ts'
import type { FieldPath, Issue } from './rule-file.ts'

const depthMax = 20

/** Matchers are checked one by one: an error of a union of ten would not tell which was meant. */
const RuleShape = Rule.extend({ when: z.unknown().optional() })
const MarkdownShape = z.strictObject({
  language: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  when: z.unknown(),
})

const leaves: Record<string, z.ZodType> = {
  regex: z.union([z.string().min(1), RegexMatcher]),
  shell: ShellMatcher,
  tree: TreeMatcher,
  external: ExternalMatcher,
  state: StateMatcher,
  ran: RanMatcher,
}
const matcherNames = ['all', 'any', 'not', 'markdown', ...Object.keys(leaves)]

/** All that is wrong with the form of one rule. */
export const shapeIssues = (value: unknown, path: FieldPath): Issue[] => {
  const issues = issuesOf(RuleShape, value, path)
  const when = isObject(value) ? value['when'] : undefined
  if (when === undefined) return issues
  const at = [...path, 'when']
  return [...issues, ...(Array.isArray(when) ? listIssues(when, at, 1) : matcherIssues(when, at, 1))]
}

const listIssues = (list: unknown, path: FieldPath, depth: number): Issue[] => {
  if (!Array.isArray(list)) return [{ path, message: `\`${nameOf(path)}\` must be a list of matchers`, hint: '' }]
  if (list.length === 0)
    return [{ path, message: `\`${nameOf(path)}\` is empty`, hint: 'Name a matcher, or leave the field out.' }]
  return list.flatMap((each, index) => matcherIssues(each, [...path, index], depth))
}

const matcherIssues = (value: unknown, path: FieldPath, depth: number): Issue[] => {
  if (depth > depthMax) return [{ path, message: `matchers are nested more than ${depthMax} times`, hint: '' }]
  const [name, second] = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || name === undefined) {
    const hint = `Write one of ${matcherNames.join(', ')}, with a colon.`
    return [{ path, message: 'a matcher is missing here', hint }]
  }
  if (!matcherNames.includes(name)) {
    const hint = meantHint(name, matcherNames)
    return [{ path: [...path, name], isName: true, message: `there is no matcher \`${name}\``, hint }]
  }
  if (second !== undefined) {
    const message = `one matcher has the names \`${name}\` and \`${second}\``
    const hint = 'Make it a list of two matchers (a `-` before each), or put them under `all` or `any`.'
    return [{ path: [...path, second], isName: true, message, hint }]
  }
  const [given, at, below] = [value[name], [...path, name], depth + 1]
  if (name === 'all' || name === 'any') return listIssues(given, at, below)
  if (name === 'not') return matcherIssues(given, at, below)
  const leaf = leaves[name]
  if (leaf !== undefined) return issuesOf(leaf, given, at)
  const issues = issuesOf(MarkdownShape, given, at)
  return isObject(given) && 'when' in given
    ? [...issues, ...matcherIssues(given['when'], [...at, 'when'], below)]
    : issues
}
