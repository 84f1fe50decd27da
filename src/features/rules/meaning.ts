import type { Matcher, Rule, Surface, TextTarget } from '../../contract/rule.ts'
import { captureIssues } from './captures.ts'
import { globProblem } from './glob.ts'
import { expressionProblem } from './match/regex.ts'
import { listed } from './match/state.ts'
import type { FieldPath, Issue } from './rule-file.ts'
import { targetsOf } from './texts.ts'

const fileSurfaces: readonly Surface[] = ['write', 'edit', 'delete', 'read']
const rewritable: readonly Surface[] = ['shell', 'write', 'edit', 'fetch']

const sentence = (list: readonly string[]): string => list.join(', ')

/** What is wrong with a rule of the right form: fields that do not go together, patterns that are none. */
export const meaningIssues = (rule: Rule, path: FieldPath): Issue[] => {
  const surfaces = listed(rule.on)
  const when = rule.when === undefined ? [] : listed(rule.when)
  const isList = Array.isArray(rule.when)
  return [
    ...actionIssues(rule, surfaces, path),
    ...rewriteIssues(rule, surfaces, path),
    ...scopeIssues(rule, surfaces, path),
    ...captureIssues(rule, path),
    ...when.flatMap((matcher, index) => {
      const at = isList ? [...path, 'when', index] : [...path, 'when']
      return walk(matcher, at, surfaces, false)
    }),
  ]
}

/** What a guard and a question cannot be combined with. */
const actionIssues = (rule: Rule, surfaces: readonly Surface[], path: FieldPath): Issue[] => {
  const { guard, action } = rule
  const other = surfaces.filter((surface) => surface === 'prompt' || surface === 'stop')
  const issues: Issue[] = []
  if (guard && action !== 'block')
    issues.push({
      path: [...path, 'guard'],
      message: `a guard can only block, not ${action}`,
      hint: 'Take out `guard`, or make its action `block`.',
    })
  if (guard && other.length > 0)
    issues.push({
      path: [...path, 'guard'],
      message: `a guard cannot look at ${sentence(other)}`,
      hint: 'Make two rules of it.',
    })
  const limits = (['once', 'cooldown', 'max'] as const).filter((field) => rule[field] !== undefined)
  if (guard && limits.length > 0)
    issues.push({
      path: [...path, limits[0] ?? ''],
      message: `a guard holds each time, so it has no ${sentence(limits)}`,
      hint: 'Take it out.',
    })
  // There is no call that could wait for a person.
  if (action === 'ask' && other.length > 0)
    issues.push({
      path: [...path, 'action'],
      message: `nobody can be asked about a ${sentence(other)}`,
      hint: 'Write `action: block` or `action: warn`.',
    })
  return issues
}

const rewriteIssues = (rule: Rule, surfaces: readonly Surface[], path: FieldPath): Issue[] => {
  const { rewrite, action } = rule
  if (action !== 'rewrite')
    return rewrite === undefined
      ? []
      : [
          {
            path: [...path, 'rewrite'],
            isName: true,
            message: `\`rewrite\` does nothing with the action ${action}`,
            hint: 'Write `action: rewrite`.',
          },
        ]
  if (rewrite === undefined)
    return [
      {
        path: [...path, 'action'],
        message: '`rewrite` is missing: what is replaced by what',
        hint: 'Add `rewrite: { pattern: …, with: … }`.',
      },
    ]
  const other = surfaces.filter((surface) => !rewritable.includes(surface))
  const wrong = other.map(
    (surface): Issue => ({
      path: [...path, 'on'],
      message: `a call of ${surface} cannot be rewritten`,
      hint: `Possible: ${sentence(rewritable)}.`,
    }),
  )
  return [...wrong, ...patternIssues(rewrite.pattern, [...path, 'rewrite', 'pattern'])]
}

const scopeIssues = (rule: Rule, surfaces: readonly Surface[], path: FieldPath): Issue[] => {
  const misplaced = [
    ...onlyFor(rule, 'files', fileSurfaces, surfaces, path),
    ...onlyFor(rule, 'tools', ['mcp'], surfaces, path),
  ]
  const isOnlyOut = rule.files !== undefined && listed(rule.files).every((glob) => glob.startsWith('!'))
  const empty: Issue[] = isOnlyOut
    ? [{ path: [...path, 'files'], message: '`files` only takes out, so no file is left', hint: "Begin with '**'." }]
    : []
  return [
    ...misplaced,
    ...empty,
    ...globIssues(rule.files, [...path, 'files']),
    ...globIssues(rule.tools, [...path, 'tools']),
  ]
}

/** A field that a surface does not heed would make the rule mean all calls of it. */
const onlyFor = (
  rule: Rule,
  field: 'files' | 'tools',
  meant: readonly Surface[],
  surfaces: readonly Surface[],
  path: FieldPath,
): Issue[] => {
  const other = rule[field] === undefined ? [] : surfaces.filter((surface) => !meant.includes(surface))
  if (other.length === 0) return []
  const message = `\`${field}\` means nothing for ${sentence(other)}`
  const hint =
    field === 'files' ? 'Make two rules of it; for commands there is `shell: { writes: … }`.' : 'Write `on: mcp`.'
  return [{ path: [...path, field], isName: true, message, hint }]
}

const walk = (matcher: Matcher, path: FieldPath, surfaces: readonly Surface[], isPart: boolean): Issue[] => {
  if ('all' in matcher)
    return matcher.all.flatMap((each, index) => walk(each, [...path, 'all', index], surfaces, isPart))
  if ('any' in matcher)
    return matcher.any.flatMap((each, index) => walk(each, [...path, 'any', index], surfaces, isPart))
  if ('not' in matcher) return walk(matcher.not, [...path, 'not'], surfaces, isPart)
  if ('markdown' in matcher) return walk(matcher.markdown.when, [...path, 'markdown', 'when'], surfaces, true)
  const target = (on: TextTarget | undefined, name: string): Issue[] => {
    if (isPart) return []
    const all = [...new Set(surfaces.flatMap((surface) => targetsOf[surface]))]
    const at = [...path, name]
    if (all.length === 0)
      return [{ path: at, isName: true, message: 'a stop has no text to look at', hint: 'Use `ran` or `state`.' }]
    if (on === undefined || all.includes(on)) return []
    return [{ path: [...at, 'on'], message: `${sentence(surfaces)} has no ${on}`, hint: `Possible: ${sentence(all)}.` }]
  }
  if ('regex' in matcher) {
    const given = typeof matcher.regex === 'string' ? { pattern: matcher.regex } : matcher.regex
    const at = typeof matcher.regex === 'string' ? [...path, 'regex'] : [...path, 'regex', 'pattern']
    return [...patternIssues(given.pattern, at, given.flags), ...target(given.on, 'regex')]
  }
  if ('shell' in matcher) return shellIssues(matcher.shell, [...path, 'shell'], isPart || surfaces.includes('shell'))
  if ('tree' in matcher) return target(matcher.tree.on, 'tree')
  if ('external' in matcher) return target(matcher.external.on, 'external')
  if ('ran' in matcher) return patternIssues(matcher.ran.pattern, [...path, 'ran', 'pattern'])
  const { branch, agent, driver, host, hours } = matcher.state
  const globs = Object.entries({ branch, agent, driver, host })
  return [
    ...globs.flatMap(([name, glob]) => globIssues(glob, [...path, 'state', name])),
    ...(hours === undefined || hours.split('-').every((clock) => /^([01]\d|2[0-3]):[0-5]\d$/.test(clock))
      ? []
      : [
          { path: [...path, 'state', 'hours'], message: `${hours} are no times of a day`, hint: 'Like `22:00-06:00`.' },
        ]),
  ]
}

const shellIssues = (
  shell: Extract<Matcher, { shell: unknown }>['shell'],
  path: FieldPath,
  hasShell: boolean,
): Issue[] => {
  const globs = (['program', 'subcommand', 'args', 'reads', 'writes', 'deletes', 'pipes_to'] as const).flatMap((name) =>
    globIssues(shell[name], [...path, name]),
  )
  const words = shell.words === undefined ? [] : patternIssues(shell.words, [...path, 'words'])
  const misplaced = hasShell
    ? []
    : [{ path, isName: true, message: '`shell` looks at commands only', hint: 'Write `on: shell`.' }]
  // Spellings that no command ever has as they are read.
  const misspelt = (field: keyof typeof shell, isWrong: (word: string) => boolean) => {
    const given = shell[field]
    return (given === undefined ? [] : listed(given)).flatMap((word, index) =>
      isWrong(word) ? [{ word, path: [...path, field, ...(Array.isArray(given) ? [index] : [])] }] : [],
    )
  }
  const programs = (['program', 'pipes_to'] as const)
    .flatMap((field) => misspelt(field, (word) => word.includes('/')))
    .map(({ word, path: at }) => ({
      path: at,
      message: `programs are named without their directory, so \`${word}\` never fits`,
      hint: `Write \`${word.slice(word.lastIndexOf('/') + 1) || '*'}\`.`,
    }))
  const flags = (['flags', 'all_flags', 'without_flags'] as const)
    .flatMap((field) => misspelt(field, (word) => !/^[-+]/.test(word)))
    .map(({ word, path: at }) => ({
      path: at,
      message: `\`${word}\` is no flag, so it never fits`,
      hint: `Write \`${word.length > 1 ? '--' : '-'}${word}\`; for other words there are \`args\` and \`words\`.`,
    }))
  return [...misplaced, ...globs, ...words, ...programs, ...flags]
}

const patternIssues = (pattern: string, path: FieldPath, flags?: string): Issue[] => {
  const problem = expressionProblem(pattern, flags)
  return problem === null ? [] : [{ path, ...problem }]
}

const globIssues = (given: string | string[] | undefined, path: FieldPath): Issue[] =>
  (given === undefined ? [] : listed(given)).flatMap((glob, index) => {
    const problem = globProblem(glob)
    const at = Array.isArray(given) ? [...path, index] : path
    return problem === null ? [] : [{ path: at, message: `\`${glob}\` is not a glob: ${problem}`, hint: '' }]
  })
