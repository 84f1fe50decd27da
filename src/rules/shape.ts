import { z } from 'zod'
import {
  ExternalMatcher,
  RanMatcher,
  RegexMatcher,
  Rule,
  RuleFile,
  RuleTest,
  ShellMatcher,
  StateMatcher,
  TreeMatcher,
} from '../contract/rule.ts'
import { isObject } from '../util/ndjson.ts'
import { nearest } from '../util/nearest.ts'
import { shown } from '../util/shown.ts'
import type { FieldPath, Issue } from './rule-file.ts'

const depthMax = 20

/** Matchers are looked at one by one: of a union of ten nobody could tell what was meant. */
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

/** The fields of what stands under a name. */
const fieldNames: Record<string, readonly string[]> = {
  '': Object.keys(RuleFile.shape),
  rules: Object.keys(Rule.shape),
  rewrite: Object.keys(Rule.shape.rewrite.unwrap().shape),
  max: Object.keys(Rule.shape.max.unwrap().shape),
  tests: Object.keys(RuleTest.shape),
  input: [
    'surface',
    'path',
    'content',
    'before',
    'old',
    'new',
    'command',
    'url',
    'prompt',
    'tool',
    'branch',
    'agent',
    'driver',
    'ran',
  ],
  regex: Object.keys(RegexMatcher.shape),
  shell: Object.keys(ShellMatcher.shape),
  tree: Object.keys(TreeMatcher.shape),
  external: Object.keys(ExternalMatcher.shape),
  state: Object.keys(StateMatcher.shape),
  ran: Object.keys(RanMatcher.shape),
  markdown: ['language', 'when'],
}

const nameOf = (path: FieldPath): string => path.findLast((step) => typeof step === 'string') ?? ''

export const meantHint = (word: string, candidates: readonly string[]): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? `Possible: ${candidates.join(', ')}.` : meantHintOf(meant)
}

const meantHintOf = (meant: string): string => `Did you mean \`${meant}\`?`

/** All that is wrong with the form of one rule. */
export const shapeIssues = (value: unknown, path: FieldPath): Issue[] => {
  const issues = issuesOf(RuleShape, value, path)
  const when = isObject(value) ? value['when'] : undefined
  if (when === undefined) return issues
  return [...issues, ...whenIssues(when, [...path, 'when'])]
}

const whenIssues = (when: unknown, path: FieldPath): Issue[] =>
  Array.isArray(when) ? listIssues(when, path, 1) : matcherIssues(when, path, 1)

const listIssues = (list: unknown, path: FieldPath, depth: number): Issue[] => {
  if (!Array.isArray(list)) return [{ path, message: `\`${nameOf(path)}\` must be a list of matchers`, hint: '' }]
  if (list.length === 0)
    return [{ path, message: `\`${nameOf(path)}\` is empty`, hint: 'Name a matcher, or leave the field out.' }]
  return list.flatMap((each, index) => matcherIssues(each, [...path, index], depth))
}

const matcherIssues = (value: unknown, path: FieldPath, depth: number): Issue[] => {
  if (depth > depthMax) return [{ path, message: `matchers are nested more than ${depthMax} times`, hint: '' }]
  const [name, ...more] = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || name === undefined)
    return [
      { path, message: 'a matcher is missing here', hint: `Write one of ${matcherNames.join(', ')}, with a colon.` },
    ]
  if (!matcherNames.includes(name))
    return [
      {
        path: [...path, name],
        isName: true,
        message: `there is no matcher \`${name}\``,
        hint: meantHint(name, matcherNames),
      },
    ]
  const second = more[0]
  if (second !== undefined)
    return [
      {
        path: [...path, second],
        isName: true,
        message: `one matcher has the names \`${name}\` and \`${second}\``,
        hint: 'Make it a list of two matchers (a `-` before each), or put them under `all` or `any`.',
      },
    ]
  return oneMatcherIssues(name, value[name], [...path, name], depth + 1)
}

const oneMatcherIssues = (name: string, given: unknown, path: FieldPath, depth: number): Issue[] => {
  if (name === 'all' || name === 'any') return listIssues(given, path, depth)
  if (name === 'not') return matcherIssues(given, path, depth)
  const leaf = leaves[name]
  if (leaf !== undefined) return issuesOf(leaf, given, path)
  const issues = issuesOf(MarkdownShape, given, path)
  return isObject(given) && 'when' in given
    ? [...issues, ...matcherIssues(given['when'], [...path, 'when'], depth)]
    : issues
}

export const issuesOf = (schema: z.ZodType, value: unknown, path: FieldPath): Issue[] => {
  const { error } = schema.safeParse(value)
  const given = error?.issues ?? []
  // What has only unknown fields is not empty.
  const hasUnknown = given.some(({ code }) => code === 'unrecognized_keys')
  const issues = given
    .filter(({ code }) => code !== 'custom' || !hasUnknown)
    .flatMap((issue) => toIssues(issue, value, path))
  return issues.filter((issue) => !issues.some((other) => isSpelling(other, issue)))
}

/** A field that is missing because its name is spelt wrongly is told once. */
const isSpelling = (unknown: Issue, missing: Issue): boolean =>
  missing.message.endsWith('is missing') && unknown.hint === meantHintOf(nameOf(missing.path))

type ZodIssue = z.core.$ZodIssue

const toIssues = (issue: ZodIssue, root: unknown, above: FieldPath): Issue[] => {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, path))
  const value = valueAt(root, issue.path)
  if (issue.code === 'invalid_union') return unionIssues(issue.errors, value, path)
  const name = nameOf(path)
  if (value === undefined) return [{ path, message: `\`${name}\` is missing`, hint: '' }]
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return [
      {
        path,
        message: `\`${name}\` cannot be ${shown(value)}`,
        hint: meantHint(typeof value === 'string' ? value : shown(value), values),
      },
    ]
  }
  if (issue.code === 'invalid_type')
    return [
      {
        path,
        message: `\`${name}\` must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(value)}`,
        hint: '',
      },
    ]
  if (issue.code === 'too_small' && issue.origin !== 'number')
    return [{ path, message: `\`${name}\` is empty`, hint: 'Fill it in, or leave the field out.' }]
  if (issue.code === 'custom')
    return [{ path, message: `\`${name}\` is empty`, hint: `Fields: ${(fieldNames[name] ?? []).join(', ')}.` }]
  return [{ path, message: `\`${name}\` cannot be ${shown(value)}`, hint: formHints[name] ?? issue.message }]
}

const kinds: Record<string, string> = {
  string: 'a text',
  array: 'a list',
  object: 'a table of fields',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
}

const formHints: Record<string, string> = {
  name: 'Lower case letters, digits and dashes, at most 64, like `no-force-push`.',
  cooldown: 'Like `500ms`, `30s`, `10m`, `2h` or `7d`.',
  timeout: 'Like `500ms`, `30s`, `10m`, `2h` or `7d`.',
  hours: 'Like `22:00-06:00`.',
  flags: 'Any of the letters `i`, `m` and `s`.',
}

const unknownField = (key: string, path: FieldPath): Issue => {
  const parent = nameOf(path)
  const what = parent === 'rules' ? 'a rule' : parent === '' ? 'a rule file' : `\`${parent}\``
  return {
    path: [...path, key],
    isName: true,
    message: `\`${key}\` is not a field of ${what}`,
    hint: meantHint(key, fieldNames[parent] ?? []),
  }
}

/** Of the forms that a field can have, what is wrong with the one that was meant. */
const unionIssues = (branches: readonly ZodIssue[][], value: unknown, path: FieldPath): Issue[] => {
  const isOtherForm = ({ code, path: at }: ZodIssue): boolean =>
    at.length === 0 && (code === 'invalid_type' || (code === 'invalid_value' && typeof value === 'object'))
  const meant = branches.find((issues) => !issues.some(isOtherForm)) ?? branches[0] ?? []
  return meant.flatMap((issue) => toIssues(issue, value, path))
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step], root)
