import type { RuleAction } from '../../contract/rule.ts'
import { restful } from '../../base/util/rest.ts'
import { OverBudget } from '../../base/util/work-budget.ts'
import type { Answer, Doubt, Look, Span } from './match/answer.ts'
import { lookAt } from './match/look.ts'
import { doubtMessage, messageOf } from './message.ts'
import { mcpNames } from './subjects.ts'
import { rootOf } from './sources.ts'
import { defaultTarget, pathOf, textInCall, withText } from './texts.ts'
import type { Finding, LoadedRule, RuleMemory, RuleSet, Subject, World } from './types.ts'

/**
 * `rewrite`: the rules that rewrite, each on what those before it have made of the call. The caller puts the last text
 * into the call and asks again for `judge`: all other rules, on the call as it will be made.
 */
export type Stage = 'rewrite' | 'judge'

export const stageOf = ({ action }: LoadedRule['rule']): Stage => (action === 'rewrite' ? 'rewrite' : 'judge')

/** Which rules fit, and what they say, in the order of the rules. It changes nothing: `memory.acted` is the caller's to call. */
export const evaluate = async (
  set: RuleSet,
  subjects: readonly Subject[],
  world: World,
  memory: RuleMemory,
  stage: Stage = 'judge',
): Promise<Finding[]> => {
  const findings: Finding[] = []
  const rest = restful()
  for (const subject of subjects) {
    const rules = (set.bySurface.get(subject.surface) ?? []).filter(({ rule }) => stageOf(rule) === stage)
    findings.push(
      ...(stage === 'rewrite'
        ? await rewrite(rules, lookAt(subject, world, rest), memory)
        : await judge(rules, lookAt(subject, world, rest), memory)),
    )
  }
  return findings.map((finding) => {
    const { isDoubt, action, message } = finding
    if (!isDoubt) return finding
    // One text for all rules that are in the same doubt, so that it is told once.
    const alike = findings.filter((one) => one.isDoubt && one.action === action && one.message === message)
    const names = [...new Set(alike.map(({ rule }) => rule.rule.name))]
    return { ...finding, message: doubtMessage(action, names, message) }
  })
}

const judge = async (rules: readonly LoadedRule[], look: Look, memory: RuleMemory): Promise<Finding[]> => {
  const findings: Finding[] = []
  await readFor(rules, look)
  for (const loaded of rules) {
    const pause = look.rest()
    if (pause !== undefined) await pause
    if (!mayFit(loaded, look)) continue
    const finding = toFinding(loaded, look, memory, await askRule(loaded, look))
    if (finding !== null) findings.push(finding)
  }
  return findings
}

const rewrite = async (rules: readonly LoadedRule[], first: Look, memory: RuleMemory): Promise<Finding[]> => {
  let look = first
  const findings: Finding[] = []
  await readFor(rules, look)
  for (const loaded of rules) {
    const pause = look.rest()
    if (pause !== undefined) await pause
    if (loaded.isHeld || !mayFit(loaded, look)) continue
    const answer = await askRule(loaded, look)
    const finding = toFinding(loaded, look, memory, answer)
    const text = replaceText(loaded, look.subject, answer?.kind === 'fit' ? answer.spans : undefined)
    if (finding === null || text === null) continue
    const next = withText(look.subject, text)
    findings.push({ ...finding, text: next === null ? null : text })
    if (next === null) continue
    look = lookAt(next, look.world, look.rest)
    await readFor(rules, look)
  }
  return findings
}

/** A line is read once, before the first rule wants to know quickly whether it may fit. */
const readFor = async (rules: readonly LoadedRule[], look: Look): Promise<void> => {
  if (rules.length > 0 && look.subject.surface === 'shell') await look.reading()
}

/** Most rules are out here, without a promise for each. */
const mayFit = (loaded: LoadedRule, look: Look): boolean => {
  if (unreadable(look) !== null) return true
  const { surface, action } = look.subject
  const { tools } = loaded
  const isInScope = surface !== 'mcp' || tools === null || (action?.kind === 'mcp' && mcpNames(action).some(tools))
  return isInScope && loaded.quick(look)
}

const askRule = async (loaded: LoadedRule, given: Look): Promise<Answer> => {
  const doubt = unreadable(given)
  if (doubt !== null) return doubt
  try {
    // The globs of a rule count from the directory that its `.rein` is in.
    const root = rootOf(loaded, given.world.root)
    const look: Look =
      root === given.world.root
        ? given
        : { ...lookAt(given.subject, { ...given.world, root }, given.rest), reading: () => given.reading() }
    const { files } = loaded
    if (files === null) return await loaded.fits(look)
    const file = pathOf(look.subject)
    if (file === null) return null
    // Deleting a directory deletes the files in it.
    const isDelete = look.subject.surface === 'delete'
    const isAbout = await (isDelete ? files.fitsOrHolds(file, look.world) : files.fits(file, look.world))
    return isAbout ? await loaded.fits(look) : null
  } catch (error) {
    // An error in one rule is a doubt of that rule, and never bypasses it or others.
    return error instanceof OverBudget
      ? tooCostly
      : {
          kind: 'doubt',
          why: `the rule could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
          advice: 'Try again; if it stays so, tell the person.',
          isClosed: false,
        }
  }
}

const tooCostly: Doubt = {
  kind: 'doubt',
  why: 'this names more files, or more that a pattern may stand for, than are compared with those that rules are about',
  advice: 'Do it in several calls, or name a directory that holds them.',
  isClosed: false,
}

const unreadable = ({ subject: { action } }: Look): Doubt | null => {
  if (action?.kind === 'unreadable-fetch')
    return {
      kind: 'doubt',
      why: `nobody can tell all addresses that are loaded: ${action.why}`,
      advice: 'Load one address with a short prompt.',
      isClosed: false,
    }
  if (action?.kind !== 'unreadable') return null
  return {
    kind: 'doubt',
    why: `this change of files cannot be read: ${action.why}`,
    advice: 'Write it in the form that the tool describes, or one file at a time.',
    isClosed: false,
  }
}

const toFinding = (rule: LoadedRule, { subject }: Look, memory: RuleMemory, answer: Answer): Finding | null => {
  const action = actionOn(rule, answer)
  if (answer === null || action === null || !memory.mayAct(rule)) return null
  const path = pathOf(subject)
  const call = subject.action
  const aboutCall = {
    ...(path === null ? {} : { path }),
    ...(call?.kind === 'shell' ? { command: call.command } : {}),
    ...(call?.kind === 'fetch' ? { url: call.url } : {}),
  }
  const common = { rule, subject, action, text: null }
  if (answer.kind === 'doubt') {
    const message = `${answer.why}.\n${answer.advice}`
    return { ...common, message, captures: aboutCall, places: [], isDoubt: true }
  }
  const captures = { ...aboutCall, ...answer.captures }
  const own = messageOf(rule, captures)
  const message = answer.advice === undefined ? own : `${own}\n${answer.advice}`
  return { ...common, message, captures, places: answer.places, isDoubt: false }
}

/** In doubt a guard blocks, a rule that blocks or asks asks, and all others do nothing. */
const actionOn = ({ rule }: LoadedRule, answer: Answer): RuleAction | null => {
  if (answer?.kind !== 'doubt') return rule.action
  if (rule.guard) return 'block'
  if (rule.action !== 'block' && rule.action !== 'ask') return null
  return answer.isClosed ? rule.action : 'ask'
}

/** Null where the text stays as it is. */
const replaceText = (
  { rule, replaced }: LoadedRule,
  subject: Subject,
  spans: readonly Span[] | undefined,
): string | null => {
  const target = defaultTarget(subject.surface)
  const text = target === undefined ? undefined : textInCall(subject, target)
  if (text === undefined) return null
  if (spans === undefined) {
    const result = replaced(text)
    return result === text ? null : result
  }
  // Only in the commands that fit: what stands in the arguments of others is theirs.
  let [result, rest] = ['', 0]
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    // One that stands within another has been looked at with it.
    if (start < rest) continue
    const next = replaced(text.slice(start, end))
    if (next === null) continue
    result += text.slice(rest, start) + next
    rest = end
    if (rule.rewrite?.all !== true) break
  }
  result += text.slice(rest)
  return result === text ? null : result
}
