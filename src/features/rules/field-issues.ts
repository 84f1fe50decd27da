import type { z } from 'zod'
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
} from '../../contract/rule.ts'
import { nearest } from '../../base/util/nearest.ts'
import { shown } from '../../base/util/shown.ts'
import type { FieldPath, Issue } from './rule-file.ts'

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

/** The innermost name on the way to a value. */
export const nameOf = (path: FieldPath): string => path.findLast((step) => typeof step === 'string') ?? ''

export const meantHint = (word: string, candidates: readonly string[]): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? `Possible: ${candidates.join(', ')}.` : meantHintOf(meant)
}

const meantHintOf = (meant: string): string => `Did you mean \`${meant}\`?`

/** The errors of a schema, in words for the author of the rule. */
export const issuesOf = (schema: z.ZodType, value: unknown, path: FieldPath): Issue[] => {
  const { error } = schema.safeParse(value)
  const given = error?.issues ?? []
  // What has only unknown fields is not empty.
  const hasUnknown = given.some(({ code }) => code === 'unrecognized_keys')
  const issues = given
    .filter(({ code }) => code !== 'custom' || !hasUnknown)
    .flatMap((issue) => toIssues(issue, value, path))
  // A field that is missing because its name is spelt wrongly is told once.
  const isMisspelt = (missing: Issue): boolean =>
    missing.message.endsWith('is missing') && issues.some(({ hint }) => hint === meantHintOf(nameOf(missing.path)))
  return issues.filter((issue) => !isMisspelt(issue))
}

type ZodIssue = z.core.$ZodIssue

const toIssues = (issue: ZodIssue, root: unknown, above: FieldPath): Issue[] => {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  const name = nameOf(path)
  if (issue.code === 'unrecognized_keys') {
    const parent = name === 'rules' ? 'a rule' : `\`${name}\``
    return issue.keys.map((key) => ({
      path: [...path, key],
      isName: true,
      message: `\`${key}\` is not a field of ${name === '' ? 'a rule file' : parent}`,
      hint: meantHint(key, fieldNames[name] ?? []),
    }))
  }
  const value = issue.path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    root,
  )
  if (issue.code === 'invalid_union') {
    // The errors of the alternative that was most likely meant.
    const isOtherForm = ({ code, path: at }: ZodIssue): boolean =>
      at.length === 0 && (code === 'invalid_type' || (code === 'invalid_value' && typeof value === 'object'))
    const meant = issue.errors.find((issues) => !issues.some(isOtherForm)) ?? issue.errors[0] ?? []
    return meant.flatMap((each) => toIssues(each, value, path))
  }
  return [{ path, ...explainIssue(issue, name, value) }]
}

const explainIssue = (issue: ZodIssue, name: string, value: unknown): Pick<Issue, 'message' | 'hint'> => {
  if (value === undefined) return { message: `\`${name}\` is missing`, hint: '' }
  const cannotBe = `\`${name}\` cannot be ${shown(value)}`
  switch (issue.code) {
    case 'invalid_value': {
      const given = typeof value === 'string' ? value : shown(value)
      return { message: cannotBe, hint: meantHint(given, issue.values.map(String)) }
    }
    case 'invalid_type':
      return {
        message: `\`${name}\` must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(value)}`,
        hint: '',
      }
    case 'custom':
      return { message: `\`${name}\` is empty`, hint: `Fields: ${(fieldNames[name] ?? []).join(', ')}.` }
    default:
      return issue.code === 'too_small' && issue.origin !== 'number'
        ? { message: `\`${name}\` is empty`, hint: 'Fill it in, or leave the field out.' }
        : { message: cannotBe, hint: formHints[name] ?? issue.message }
  }
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
