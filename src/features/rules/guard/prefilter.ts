import type { Matcher, Rule } from '../../../contract/rule.ts'
import { drivers } from '../../../drivers/registry.ts'
import { filesOfBranch, hiding, madeWords, realPaths, unnamedFiles, wholeDirectory } from './hiding.ts'
import { escaped, literalsOfPattern, longest, patternsAbove, patternsOfGlob, spelledOut } from './literals.ts'
import { driverRows, type GuardKind, kindOfSurface } from './tools.ts'

/**
 * The form of a rule without an evaluator: expressions that match every call that it would stop, and as few
 * others as can be told without reading the call. `bin/rein-guard` looks at them while the daemon does not answer.
 */
export interface PrefilterLine {
  /** A possible match of a guard is denied if it cannot be judged; one of another rule is not. */
  isGuard: boolean
  /** The directory in which the rule holds. */
  root: string
  /** The name of the rule. */
  rule: string
  kind: GuardKind
  /** Extended regular expressions for a text in lower case. All of them must match; without any the whole kind of tool is denied. */
  clauses: readonly string[]
}

/** Alternatives of which one must stand in the text, each an expression. */
type Clause = readonly string[]

/** The requirements of a matcher: all of these. */
type Required = readonly Clause[]

/** The ways in which it may fit: one of these. */
type Ways = readonly Required[]

const nothing: Required = []

/** The lines for one rule. */
export const prefilter = (rule: Rule, root: string): PrefilterLine[] => {
  const surfaces = [rule.on].flat()
  const kinds = new Set(surfaces.flatMap((surface) => kindOfSurface[surface] ?? []))
  const byFiles = surfaces.includes('delete') ? requiredToDelete(rule.files) : requiredByGlobs(rule.files)
  const lines = [...kinds].flatMap((kind) => {
    const files = kind === 'change' || kind === 'read' ? byFiles : nothing
    const matchers = [rule.when ?? []].flat().map((matcher) => waysBy(matcher, kind, rule.guard))
    return together([[files], ...matchers]).map((way) => lineFor(rule, root, kind, way))
  })
  return kinds.has('change') ? [...lines, lineFor(rule, root, 'shell', patchInShell)] : lines
}

/** A patch that is given to a shell changes files, too, and may stand in a file itself. */
const patchInShell: Required = [['apply_?patch', 'begin patch']]

const lineFor = (rule: Rule, root: string, kind: GuardKind, clauses: Required): PrefilterLine => ({
  isGuard: rule.guard,
  root,
  rule: rule.name,
  kind,
  clauses: clauses.map((clause) => [...new Set(clause)].join('|')),
})

const waysBy = (matcher: Matcher, kind: GuardKind, isGuard: boolean): Ways => {
  if ('all' in matcher) return together(matcher.all.map((one) => waysBy(one, kind, isGuard)))
  if ('any' in matcher) return matcher.any.flatMap((one) => waysBy(one, kind, isGuard))
  if ('markdown' in matcher) return waysBy(matcher.markdown.when, kind, isGuard)
  if ('regex' in matcher) {
    const { regex } = matcher
    const { pattern, flags = '', on = null } = typeof regex === 'string' ? { pattern: regex } : regex
    // The file as it will be holds more than the call.
    const literals = on === 'result' ? null : literalsOfPattern(pattern)
    if (literals === null) return [nothing]
    // Two letters of other alphabets count as `k` and `s` where case does not matter.
    const isFolded = flags.includes('i') || pattern.includes('(?')
    const isOfPaths = on === 'path' || (on === null && (kind === 'change' || kind === 'read'))
    return [[[...literals.map(escaped), ...(isFolded ? [notAscii] : []), ...(isOfPaths ? [realPaths] : [])]]]
  }
  if ('shell' in matcher) return [requiredByShell(matcher.shell, isGuard)]
  // Nothing in the text tells whether these fit.
  return [nothing]
}

/** More lines than this are slower to look at than a call is to judge. */
const mostWays = 100

/**
 * Each way of each part with each of the others; where these are too many, what all ways of a part have in common:
 * one clause for all of them, of the most telling one of each.
 */
const together = (parts: readonly Ways[]): Ways =>
  parts.reduce<Ways>(
    (before, ways) => {
      if (before.length * ways.length <= mostWays)
        return before.flatMap((one) => ways.map((other) => [...one, ...other]))
      const chosen = ways.map((clauses) => clauses.toSorted((a, b) => telling(b) - telling(a))[0])
      if (chosen.some((clause) => clause === undefined)) return before
      const common = chosen.flatMap((clause) => clause ?? [])
      return before.map((one) => [...one, common])
    },
    [nothing],
  )

const telling = (clause: Clause): number =>
  Math.min(...clause.filter((one) => !one.startsWith('//')).map(({ length }) => length))

const notAscii = '[^ -~]'

type Shell = Extract<Matcher, { shell: unknown }>['shell']
type Given = string | readonly string[] | undefined

/** An expanded word can be any word, and some programs touch files that no word names. */
export const requiredByShell = (shell: Shell, isGuard: boolean): Required => {
  const written = requiredByGlobs(shell.writes).map((clause) => [...clause, wholeDirectory])
  const files = [requiredByGlobs(shell.reads), written, requiredToDelete(shell.deletes)].flat()
  // Only a guard is in doubt about files that git alone knows.
  const unnamed = isGuard ? [unnamedFiles, filesOfBranch] : [unnamedFiles]
  const { words } = shell
  const literals = words === undefined ? null : literalsOfPattern(words)
  return [
    // A name of a program is no part of another word, though `git-push` is git.
    ...[shell.program, shell.pipes_to]
      .flatMap((given) =>
        oneOf(
          shownIn(given).map((name) =>
            isPlainWord(name) ? [`${escaped(name.toLowerCase())}${wordEnd}`] : patternsOfGlob(name),
          ),
        ),
      )
      .map((clause) => clause.map((name) => `${wordStart}${name}`)),
    ...[shell.subcommand, shell.args].flatMap((given) =>
      oneOf(
        shownIn(given).map((each) =>
          each.split(' ').flatMap((word) => (isPlainWord(word) ? [escaped(word.toLowerCase())] : patternsOfGlob(word))),
        ),
      ),
    ),
    ...[shell.flags, ...(shell.all_flags ?? [])].flatMap((given) =>
      given === undefined ? [] : [[given].flat().map(flagPattern)],
    ),
    ...(literals === null ? [] : [literals.map(escaped)]),
    ...files.map((clause) => [...clause, ...unnamed]),
  ].map((clause) => [...clause, madeWords])
}

const wordStart = '(^|[^a-z0-9_.-])'
const wordEnd = '([^a-z0-9_]|$)'

const isPlainWord = (word: string): boolean => /^[\w.@%+-]+$/.test(word)

/** Negated globs add nothing. */
const shownIn = (given: Given): readonly string[] => [given ?? []].flat().filter((glob) => !glob.startsWith('!'))

const requiredByGlobs = (given: Given): Required =>
  oneOf(shownIn(given).flatMap(spelledOut).map(patternsOfGlob)).map((clause) => [...clause, realPaths])

/** Directories above the project have no name here. */
const requiredToDelete = (given: Given): Required => {
  const patterns = shownIn(given).flatMap(spelledOut).map(patternsAbove)
  if (patterns.length === 0 || patterns.some(({ length }) => length === 0)) return nothing
  return [[...patterns.flat(), wholeDirectory, realPaths]]
}

/** All of what it requires where there is one alternative, else the longest of each. */
const oneOf = (alternatives: readonly (readonly string[])[]): Required => {
  if (alternatives.length === 0 || alternatives.some(({ length }) => length === 0)) return nothing
  const [only = [], ...others] = alternatives
  return others.length === 0 ? only.map((pattern) => [pattern]) : [alternatives.map(longest)]
}

/** A long option may be cut short, a short one stand among others. */
const flagPattern = (flag: string): string => {
  const [, dashes = '', name = ''] = /^(-*)([A-Za-z0-9]?)/.exec(flag) ?? []
  if (dashes === '' || name === '') return escaped(flag.toLowerCase())
  return dashes === '-' ? `-[a-z0-9]*${name.toLowerCase()}` : `--${name.toLowerCase()}`
}

/** As it stands within a string of JSON: `bin/rein-guard` puts it there as it is. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The program that judges what the lines cannot: with it, where rules, state, sockets and the home are. */
export interface GuardJudge {
  node: string
  script: string
  config: string
  state: string
  runtime: string
  socket: string
  home: string
}

/** The file that `bin/rein-guard` reads; its last line tells that it is whole. */
export const prefilterFile = (lines: readonly PrefilterLine[], judge: GuardJudge | null = null): string => {
  const judgeFields =
    judge === null ? [] : [judge.node, judge.script, judge.config, judge.state, judge.runtime, judge.socket, judge.home]
  const isJudgeTold = judgeFields.length > 0 && judgeFields.every((field) => field !== '' && !/[\t\n]/.test(field))
  return [
    ...(isJudgeTold ? [['judge', ...judgeFields]] : []),
    ...drivers.flatMap(driverRows),
    ...Object.entries(hiding).map(([what, patterns]) => ['hides', what, patterns.join('|')]),
    ...lines.map((one) => [one.isGuard ? 'guard' : 'rule', one.root, inJson(one.rule), one.kind, ...one.clauses]),
    ['end'],
  ]
    .map((fields) => `${fields.join('\t')}\n`)
    .join('')
}
