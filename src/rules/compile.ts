import path from 'node:path'
import type { Matcher, Rule } from '../contract/rule.ts'
import { wordGlobs } from './glob.ts'
import { allOf, anyOf, type Check, noneOf, plainFit, type QuickCheck } from './match/answer.ts'
import { externalCheck, untrustedCheck } from './match/external.ts'
import { ranCheck } from './match/ran.ts'
import { expression, regexCheck } from './match/regex.ts'
import { shellCheck, shellQuick } from './match/shell.ts'
import { listed, stateCheck } from './match/state.ts'
import { interpolate } from './message.ts'
import { pathGlobs } from './paths.ts'
import type { LoadedRule, RuleOrigin } from './types.ts'

export interface Compiling {
  rule: Rule
  origin: RuleOrigin
  file: string
  line: number
  isTrusted: boolean
}

interface Compiled {
  check: Check
  quick: QuickCheck
}

const always: QuickCheck = () => true

/** A grammar of the file's own is code that it brings along. */
const bringsGrammar = (language: string): boolean => language.endsWith('.wasm')

const runsOwn = (matcher: Matcher): boolean => {
  if ('all' in matcher) return matcher.all.some(runsOwn)
  if ('any' in matcher) return matcher.any.some(runsOwn)
  if ('not' in matcher) return runsOwn(matcher.not)
  if ('markdown' in matcher) return runsOwn(matcher.markdown.when)
  return 'external' in matcher || ('tree' in matcher && bringsGrammar(matcher.tree.language))
}

const matchersOf = ({ when }: Rule): Matcher[] => (when === undefined ? [] : listed(when))

/** Whether it does more than forbid, which a project's file may only after a person has trusted it. */
export const needsTrust = (rule: Rule): boolean => rule.action === 'rewrite' || matchersOf(rule).some(runsOwn)

/** The rule as `evaluate` uses it. Throws an Error that says what is wrong with a syntax tree's query. */
export const compileRule = async (given: Compiling): Promise<LoadedRule> => {
  const { rule, origin, file, line, isTrusted } = given
  const { check, quick } = everyOne(await Promise.all(matchersOf(rule).map((matcher) => compile(matcher, given))))
  return {
    rule,
    origin,
    file,
    line,
    surfaces: [...new Set(listed(rule.on))],
    files: rule.files === undefined ? null : pathGlobs(listed(rule.files)),
    tools: rule.tools === undefined ? null : wordGlobs(listed(rule.tools)),
    isHeld: !isTrusted && needsTrust(rule),
    quick,
    fits: check,
    replaced: replacing(rule),
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

const compile = async (matcher: Matcher, given: Compiling): Promise<Compiled> => {
  const each = (list: readonly Matcher[]): Promise<Compiled[]> => Promise.all(list.map((one) => compile(one, given)))
  if ('all' in matcher) return everyOne(await each(matcher.all))
  if ('any' in matcher) {
    const compiled = await each(matcher.any)
    return {
      check: anyOf(compiled.map(({ check }) => check)),
      quick: (look) => compiled.some(({ quick }) => quick(look)),
    }
  }
  if ('not' in matcher) return { check: noneOf((await compile(matcher.not, given)).check), quick: always }
  if (!given.isTrusted && runsOwn(matcher)) return { check: untrustedCheck(path.basename(given.file)), quick: always }
  return compileLeaf(matcher, given)
}

type Leaf = Exclude<Matcher, { all: unknown } | { any: unknown } | { not: unknown }>

const compileLeaf = async (matcher: Leaf, given: Compiling): Promise<Compiled> => {
  const isGuard = given.rule.guard
  if ('regex' in matcher)
    return regexCheck(typeof matcher.regex === 'string' ? { pattern: matcher.regex } : matcher.regex, isGuard)
  if ('shell' in matcher) return { check: shellCheck(matcher.shell, isGuard), quick: shellQuick(matcher.shell) }
  if ('external' in matcher) return { check: externalCheck(matcher.external, isGuard), quick: always }
  if ('state' in matcher) return { check: stateCheck(matcher.state), quick: always }
  if ('ran' in matcher) return { check: ranCheck(matcher.ran), quick: always }
  throw new Error('This matcher is not known yet.')
}

const replacing = ({ rewrite }: Rule): LoadedRule['replaced'] => {
  if (rewrite === undefined) return () => null
  const compiled = expression(rewrite.pattern)
  return (text) => compiled.replace(text, rewrite.all ?? false, (captures) => interpolate(rewrite.with, captures))
}
