import path from 'node:path'
import type { Matcher, Rule } from '../../contract/rule.ts'
import { allowedBy } from './allowed.ts'
import { wordGlobs } from './glob.ts'
import { allOf, anyOf, type Check, noneOf, plainFit, type QuickCheck } from './match/answer.ts'
import { externalCheck, untrustedCheck } from './match/external.ts'
import { markdownCheck } from './match/markdown-check.ts'
import { notRanCheck, ranCheck } from './match/ran.ts'
import { expression, regexCheck } from './match/regex.ts'
import { shellCheck } from './match/shell.ts'
import { listed, stateCheck } from './match/state.ts'
import { treeCheck } from './match/tree-check.ts'
import { interpolate } from './message.ts'
import { pathGlobs } from './paths.ts'
import type { FieldPath } from './rule-file.ts'
import type { LoadedRule, RuleOrigin } from './types.ts'

interface Compiling {
  rule: Rule
  origin: RuleOrigin
  file: string
  line: number
  isTrusted: boolean
  /** Queries of trees are made when they are first asked: one can take as long as all else of its file. */
  isLazy: boolean
}

/** A matcher that is right in its form, and cannot be made all the same. */
export class CompileError extends Error {
  /** From the rule on. */
  readonly path: FieldPath

  constructor(at: FieldPath, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause))
    this.name = 'CompileError'
    this.path = at
  }
}

interface Compiled {
  check: Check
  quick: QuickCheck
}

const always: QuickCheck = () => true

/** The rule as `evaluate` uses it. Throws a CompileError. */
export const compileRule = async (given: Compiling): Promise<LoadedRule> => {
  const { rule, origin, file, line, isTrusted } = given
  const { when = [], rewrite } = rule
  const at = (index: number): FieldPath => (Array.isArray(when) ? ['when', index] : ['when'])
  const matchers = listed(when).map((matcher, index) => compile(matcher, at(index), given))
  const rewritten = rewrite === undefined ? null : expression(rewrite.pattern)
  const { check, quick } = everyOne(await Promise.all(matchers))
  return {
    rule,
    origin,
    file,
    line,
    surfaces: [...new Set(listed(rule.on))],
    files: rule.files === undefined ? null : pathGlobs(listed(rule.files)),
    tools: rule.tools === undefined ? null : wordGlobs(listed(rule.tools)),
    isHeld: !isTrusted && allowedBy(rule).length > 0,
    quick,
    fits: check,
    replaced: (text) =>
      rewrite === undefined || rewritten === null
        ? null
        : rewritten.replace(text, rewrite.all ?? false, (captures) => interpolate(rewrite.with, captures)),
  }
}

const everyOne = (compiled: readonly Compiled[]): Compiled => {
  const [only, ...more] = compiled
  if (only === undefined) return { check: () => plainFit, quick: always }
  if (more.length === 0) return only
  return {
    check: allOf(compiled.map(({ check }) => check)),
    quick: (look) => compiled.every(({ quick }) => quick(look)),
  }
}

const compile = async (matcher: Matcher, at: FieldPath, given: Compiling): Promise<Compiled> => {
  const each = (list: readonly Matcher[], name: string): Promise<Compiled[]> =>
    Promise.all(list.map((one, index) => compile(one, [...at, name, index], given)))
  if ('all' in matcher) return everyOne(await each(matcher.all, 'all'))
  if ('any' in matcher) {
    const compiled = await each(matcher.any, 'any')
    return {
      check: anyOf(compiled.map(({ check }) => check)),
      quick: (look) => compiled.some(({ quick }) => quick(look)),
    }
  }
  if ('not' in matcher && 'ran' in matcher.not) return { check: notRanCheck(matcher.not.ran), quick: always }
  if ('not' in matcher)
    return { check: noneOf((await compile(matcher.not, [...at, 'not'], given)).check), quick: always }
  if ('markdown' in matcher) {
    const { language = null, when } = matcher.markdown
    const { check } = await compile(when, [...at, 'markdown', 'when'], given)
    return { check: markdownCheck(language, check, given.rule.guard), quick: always }
  }
  // A grammar of the file's own is code that it brings along, as a program is.
  const runsOwn = 'external' in matcher || ('tree' in matcher && matcher.tree.language.endsWith('.wasm'))
  if (!given.isTrusted && runsOwn) return { check: untrustedCheck(path.basename(given.file)), quick: always }
  const { file, isLazy } = given
  const isGuard = given.rule.guard
  if ('regex' in matcher)
    return regexCheck(typeof matcher.regex === 'string' ? { pattern: matcher.regex } : matcher.regex, isGuard)
  if ('shell' in matcher) return shellCheck(matcher.shell, isGuard)
  if ('external' in matcher) return { check: externalCheck(matcher.external, isGuard), quick: always }
  if ('state' in matcher) return { check: stateCheck(matcher.state), quick: always }
  if ('ran' in matcher) return { check: ranCheck(matcher.ran), quick: always }
  const compiling = treeCheck(matcher.tree, path.dirname(file), isGuard, isLazy)
  return {
    check: await compiling.catch((error: unknown) => {
      throw new CompileError([...at, 'tree', 'query'], error)
    }),
    quick: always,
  }
}
