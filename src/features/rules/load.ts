import { z } from 'zod'
import { Rule, RuleFile } from '../../contract/rule.ts'
import { isObject } from '../../base/util/json.ts'
import { type Rest, restful } from '../../base/util/rest.ts'
import { CompileError, compileRule } from './compile.ts'
import { issuesOf } from './field-issues.ts'
import { brokenGuard, mayHoldGuard } from './guard/broken.ts'
import { rulesWithinLimits, withinLimits } from './limits.ts'
import { meaningIssues } from './meaning.ts'
import { type FieldPath, type Issue, type ParsedFile, readRuleFile } from './rule-file.ts'
import { shapeIssues } from './shape.ts'
import type { LoadedRule, RuleProblem, RuleSet, RuleSource } from './types.ts'

interface Loaded {
  rules: LoadedRule[]
  problems: RuleProblem[]
}

/**
 * All rules that are right, in the order of their sources, and all that is wrong: one bad rule takes no other with it.
 * `isLazy`: queries of trees are made when they are first asked, and what is wrong with one is a doubt then.
 */
export const loadRules = async (sources: readonly RuleSource[], isLazy = false): Promise<RuleSet> => {
  const { read, problems } = withinLimits(sources)
  const rest = restful()
  const loaded: Loaded[] = []
  // A source that is given again is not read again.
  const files = isLazy ? lazy : whole
  for (const source of read) {
    const loading = files.get(source) ?? loadFile(source, isLazy, rest)
    files.set(source, loading)
    loaded.push(await loading)
  }
  const { held, problems: more } = rulesWithinLimits(loaded.flatMap((each) => each.rules))
  return toRuleSet(held, [...loaded.flatMap((each) => each.problems), ...problems, ...more, ...duplicates(held)])
}

export const toRuleSet = (rules: readonly LoadedRule[], problems: readonly RuleProblem[]): RuleSet => {
  const inForce = rules.filter(({ rule }) => rule.enabled)
  const surfaces = new Set(inForce.flatMap((each) => each.surfaces))
  return {
    rules,
    problems,
    bySurface: new Map(
      Array.from(surfaces, (surface) => [surface, inForce.filter((each) => each.surfaces.includes(surface))]),
    ),
  }
}

const Header = z.strictObject({ version: RuleFile.shape.version, rules: z.array(z.unknown()).min(1) })

const whole = new WeakMap<RuleSource, Promise<Loaded>>()
const lazy = new WeakMap<RuleSource, Promise<Loaded>>()

const loadFile = async (source: RuleSource, isLazy: boolean, rest: Rest): Promise<Loaded> => {
  const { file, text } = source
  await rest()
  const reading = readRuleFile(file, text)
  if ('problems' in reading) return { rules: [], problems: reading.problems }
  const { parsed } = reading
  if (parsed.value === null) {
    const message = 'the file is empty, or not a file that can be read'
    const hint = 'Write `version: 1` and `rules:` into it, or take it away; links are not followed in a project.'
    // What cannot be read may hold anything.
    return { rules: [], problems: [{ file, line: 1, column: 1, message, hint, isGuard: source.isUnread ?? false }] }
  }
  const { value } = parsed
  const list = isObject(value) && value['version'] === 1 ? value['rules'] : []
  // Where the rules are read, only what stands beside them may hold another guard.
  const beside = ({ path: [name] }: Issue): string =>
    isObject(value) && Array.isArray(list) && value['version'] === 1 ? JSON.stringify(value[String(name)] ?? '') : text
  const header = issuesOf(Header, value, []).map((issue) =>
    toProblem(source, parsed, issue, mayHoldGuard(beside(issue))),
  )
  const each: Loaded[] = []
  for (const [index, rule] of (Array.isArray(list) ? list : []).entries()) {
    each.push(await loadRule(source, parsed, rule, index, isLazy))
    await rest()
  }
  return {
    rules: each.flatMap(({ rules }) => rules),
    problems: [...header, ...each.flatMap(({ problems }) => problems)],
  }
}

const toProblem = ({ file }: RuleSource, parsed: ParsedFile, issue: Issue, isGuard: boolean): RuleProblem => {
  const { path, isName, message, hint } = issue
  return { file, ...parsed.placeOf(path, isName), message, hint, isGuard }
}

const loadRule = async (
  source: RuleSource,
  parsed: ParsedFile,
  value: unknown,
  index: number,
  isLazy: boolean,
): Promise<Loaded> => {
  const path: FieldPath = ['rules', index]
  const guard = brokenGuard(value)
  const told = (issues: readonly Issue[]): RuleProblem[] =>
    issues.map((issue) => ({
      ...toProblem(source, parsed, issue, guard !== null),
      ...(guard === null ? {} : { guard }),
    }))
  const misshapen = shapeIssues(value, path)
  if (misshapen.length > 0) return { rules: [], problems: told(misshapen) }
  const rule = Rule.parse(value)
  // A test has looked for what is wrong with these; a guard without a daemon loads them for one call.
  const isShipped = source.origin === 'pack' || source.origin === 'built-in'
  const wrong = isShipped ? [] : meaningIssues(rule, path)
  if (wrong.length > 0) return { rules: [], problems: told(wrong) }
  try {
    const { line } = parsed.placeOf(path)
    const loaded = await compileRule({
      rule,
      origin: source.origin,
      file: source.file,
      line,
      isTrusted: source.isTrusted,
      isLazy,
    })
    return {
      rules: [loaded],
      problems: loaded.isHeld ? told([heldIssue(rule, path)]).map((problem) => ({ ...problem, isLoaded: true })) : [],
    }
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return { rules: [], problems: told([{ path: [...path, ...error.path], message: error.message, hint: '' }]) }
  }
}

/** What a rule whose file nobody trusts does not do yet. */
const heldIssue = ({ name, action }: Rule, path: FieldPath): Issue => {
  const does = action === 'rewrite' ? 'rewrites calls' : 'runs what this file names'
  const effect = action === 'block' || action === 'ask' ? `takes that for a fit: ${action}` : 'does nothing'
  return {
    path,
    message: `${name} ${does}, which nobody has trusted; until then it ${effect}`,
    hint: 'Look at the file, then run: rein rules trust',
  }
}

/** Both hold: to let one of them go would be to forbid less than was written down. */
const duplicates = (rules: readonly LoadedRule[]): RuleProblem[] => {
  const first = new Map<string, LoadedRule>()
  return rules.flatMap((loaded) => {
    const { file, line, rule } = loaded
    const other = first.get(rule.name)
    if (other === undefined) first.set(rule.name, loaded)
    return other === undefined
      ? []
      : [
          {
            file,
            line,
            column: 1,
            message: `the name ${rule.name} is also that of a rule at ${other.file}:${other.line}; both hold`,
            hint: 'Give one of them another name.',
            isGuard: rule.guard,
            isLoaded: true,
          },
        ]
  })
}
