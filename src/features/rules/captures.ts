import type { Matcher, Rule, Surface } from '../../contract/rule.ts'
import { groupNames } from './match/regex.ts'
import { listed } from './match/state.ts'
import type { FieldPath, Issue } from './rule-file.ts'

const ofCall: Partial<Record<Surface, string>> = {
  shell: 'command',
  write: 'path',
  edit: 'path',
  delete: 'path',
  read: 'path',
  fetch: 'url',
}

/** Texts that name what nothing captures: the model would get them with their brackets. */
export const captureIssues = (rule: Rule, path: FieldPath): Issue[] => {
  const { message, description, rewrite } = rule
  const when = rule.when === undefined ? [] : listed(rule.when)
  const at = Array.isArray(rule.when) ? (index: number) => ['when', index] : () => ['when']
  const known = [...listed(rule.on).flatMap((surface) => ofCall[surface] ?? []), ...when.flatMap(capturedBy)]
  return [
    ...(message === undefined
      ? textIssues(description, known, [...path, 'description'])
      : textIssues(message, known, [...path, 'message'])),
    ...textIssues(rewrite?.with, groupNames(rewrite?.pattern ?? ''), [...path, 'rewrite', 'with']),
    ...when.flatMap((matcher, index) => suggestionIssues(matcher, [...path, ...at(index)])),
  ]
}

const textIssues = (text: string | undefined, known: readonly string[], path: FieldPath): Issue[] => {
  const names = new Set(Array.from((text ?? '').matchAll(/\{\{\s*\$(\w+)\s*\}\}/g), ([, name = '']) => name))
  const possible = [...new Set(known)]
  return [...names]
    .filter((name) => !possible.includes(name))
    .map((name) => ({
      path,
      message: `nothing here captures \`{{ $${name} }}\``,
      hint: possible.length === 0 ? 'Write the text without it.' : `Possible: ${possible.join(', ')}.`,
    }))
}

/** A matcher that does not fit captures nothing, so `not` has none. */
const capturedBy = (matcher: Matcher): string[] => {
  if ('all' in matcher) return matcher.all.flatMap(capturedBy)
  if ('any' in matcher) return matcher.any.flatMap(capturedBy)
  if ('markdown' in matcher) return capturedBy(matcher.markdown.when)
  if ('shell' in matcher) return ['program', 'subcommand', 'words']
  if ('external' in matcher) return ['command', 'status', 'output']
  const own = ownCaptures(matcher)
  return own === null ? [] : [...own.names, ...(own.suggestion === undefined ? [] : ['suggestion'])]
}

/** The captures of matchers that can make a suggestion of them. */
const ownCaptures = (matcher: Matcher): { names: string[]; suggestion?: string | undefined } | null => {
  if ('regex' in matcher) {
    const given = typeof matcher.regex === 'string' ? { pattern: matcher.regex } : matcher.regex
    return { names: groupNames(given.pattern), suggestion: given.suggestion }
  }
  if (!('tree' in matcher)) return null
  const { query, suggestion } = matcher.tree
  return { names: Array.from(query.matchAll(/@(\w+)/g), ([, name = '']) => name), suggestion }
}

const suggestionIssues = (matcher: Matcher, path: FieldPath): Issue[] => {
  const inList = (list: readonly Matcher[], name: string): Issue[] =>
    list.flatMap((each, index) => suggestionIssues(each, [...path, name, index]))
  if ('all' in matcher) return inList(matcher.all, 'all')
  if ('any' in matcher) return inList(matcher.any, 'any')
  if ('not' in matcher) return suggestionIssues(matcher.not, [...path, 'not'])
  if ('markdown' in matcher) return suggestionIssues(matcher.markdown.when, [...path, 'markdown', 'when'])
  const own = ownCaptures(matcher)
  const name = 'regex' in matcher ? 'regex' : 'tree'
  return own === null ? [] : textIssues(own.suggestion, own.names, [...path, name, 'suggestion'])
}
