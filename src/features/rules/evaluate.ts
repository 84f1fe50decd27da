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
  return findings.map((finding) => (finding.isDoubt ? withNames(finding, findings) : finding))
}

/** One text for all rules that are in the same doubt, so that it is told once. */
const withNames = (finding: Finding, all: readonly Finding[]): Finding => {
  const { isDoubt, action, message } = finding
  const alike = all.filter((other) => other.isDoubt === isDoubt && other.action === action && other.message === message)
  return { ...finding, message: doubtMessage(action, [...new Set(alike.map(({ rule }) => rule.rule.name))], message) }
}

const judge = async (rules: readonly LoadedRule[], look: Look, memory: RuleMemory): Promise<Finding[]> => {
  const findings: Finding[] = []
  await readFor(rules, look)
  for (const loaded of rules) {
    const pause = look.rest()
    if (pause !== undefined) await pause
    if (!mayFit(loaded, look)) continue
    const finding = await judgeOne(loaded, look, memory)
    if (finding !== null) findings.push(finding)
  }
  return findings
}

/** A line is read once, before the first rule wants to know quickly whether it may fit. */
const readFor = async (rules: readonly LoadedRule[], look: Look): Promise<void> => {
  if (rules.length > 0 && look.subject.surface === 'shell') await look.reading()
}

/** Most rules are out here, without a promise for each. */
const mayFit = (loaded: LoadedRule, look: Look): boolean =>
  unreadable(look) !== null || (isInScope(loaded, look.subject) && loaded.quick(look))

const judgeOne = async (loaded: LoadedRule, look: Look, memory: RuleMemory): Promise<Finding | null> =>
  judgedBy(loaded, look, memory, await answerOf(loaded, look))

const judgedBy = (loaded: LoadedRule, look: Look, memory: RuleMemory, answer: Answer): Finding | null => {
  const action = actionOf(loaded, answer)
  if (answer === null || action === null || !memory.mayAct(loaded)) return null
  return findingOf(loaded, look, answer, action)
}

const answerOf = async (loaded: LoadedRule, given: Look): Promise<Answer> => {
  const doubt = unreadable(given)
  if (doubt !== null) return doubt
  try {
    const look = seenFrom(rootOf(loaded, given.world.root), given)
    return loaded.files !== null && !(await isAbout(loaded.files, look)) ? null : await loaded.fits(look)
  } catch (error) {
    return failed(error)
  }
}

/** The globs of a rule count from the directory that its `.rein` is in. */
const seenFrom = (root: string, look: Look): Look =>
  root === look.world.root
    ? look
    : { ...lookAt(look.subject, { ...look.world, root }, look.rest), reading: () => look.reading() }

/** An error in one rule is a doubt of that rule, and never bypasses it or others. */
const failed = (error: unknown): Doubt => (error instanceof OverBudget ? tooCostly : couldNot(error))

const tooCostly: Doubt = {
  kind: 'doubt',
  why: 'this names more files, or more that a pattern may stand for, than are compared with those that rules are about',
  advice: 'Do it in several calls, or name a directory that holds them.',
  isClosed: false,
}

const couldNot = (error: unknown): Doubt => ({
  kind: 'doubt',
  why: `the rule could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Try again; if it stays so, tell the person.',
  isClosed: false,
})

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

const isInScope = ({ tools }: LoadedRule, { surface, action }: Subject): boolean =>
  surface !== 'mcp' || tools === null || (action?.kind === 'mcp' && mcpNames(action).some(tools))

/** Deleting a directory deletes the files in it. */
const isAbout = async (files: NonNullable<LoadedRule['files']>, { subject, world }: Look): Promise<boolean> => {
  const file = pathOf(subject)
  if (file === null) return false
  return subject.surface === 'delete' ? files.fitsOrHolds(file, world) : files.fits(file, world)
}

/** In doubt a guard blocks, a rule that blocks or asks asks, and all others do nothing. */
const actionOf = ({ rule }: LoadedRule, answer: Answer): RuleAction | null => {
  if (answer?.kind !== 'doubt') return rule.action
  if (rule.guard) return 'block'
  if (rule.action !== 'block' && rule.action !== 'ask') return null
  return answer.isClosed ? rule.action : 'ask'
}

const findingOf = (rule: LoadedRule, { subject }: Look, answer: NonNullable<Answer>, action: RuleAction): Finding => {
  const isDoubt = answer.kind === 'doubt'
  const captures = { ...aboutCall(subject), ...(isDoubt ? {} : answer.captures) }
  return {
    rule,
    subject,
    action,
    message: isDoubt ? `${answer.why}.\n${answer.advice}` : saidBy(rule, captures, answer.advice),
    captures,
    places: isDoubt ? [] : answer.places,
    text: null,
    isDoubt,
  }
}

const saidBy = (rule: LoadedRule, captures: Readonly<Record<string, string>>, advice: string | undefined): string => {
  const own = messageOf(rule, captures)
  return advice === undefined ? own : `${own}\n${advice}`
}

/** The captures of the call itself. */
const aboutCall = (subject: Subject): Record<string, string> => {
  const { action } = subject
  const path = pathOf(subject)
  return {
    ...(path === null ? {} : { path }),
    ...(action?.kind === 'shell' ? { command: action.command } : {}),
    ...(action?.kind === 'fetch' ? { url: action.url } : {}),
  }
}

const rewrite = async (rules: readonly LoadedRule[], first: Look, memory: RuleMemory): Promise<Finding[]> => {
  let look = first
  const findings: Finding[] = []
  await readFor(rules, look)
  for (const loaded of rules) {
    const pause = look.rest()
    if (pause !== undefined) await pause
    if (loaded.isHeld || !mayFit(loaded, look)) continue
    const answer = await answerOf(loaded, look)
    const finding = judgedBy(loaded, look, memory, answer)
    const text = replacedBy(loaded, look.subject, answer?.kind === 'fit' ? answer.spans : undefined)
    if (finding === null || text === null) continue
    const next = withText(look.subject, text)
    findings.push({ ...finding, text: next === null ? null : text })
    if (next === null) continue
    look = lookAt(next, look.world, look.rest)
    await readFor(rules, look)
  }
  return findings
}

/** Null where the text stays as it is. */
const replacedBy = (loaded: LoadedRule, subject: Subject, spans: readonly Span[] | undefined): string | null => {
  const target = defaultTarget(subject.surface)
  const text = target === undefined ? undefined : textInCall(subject, target)
  if (text === undefined) return null
  const replaced = spans === undefined ? loaded.replaced(text) : replacedIn(loaded, text, spans)
  return replaced === text ? null : replaced
}

/** Only in the commands that fit: what stands in the arguments of others is theirs. */
const replacedIn = ({ rule, replaced }: LoadedRule, text: string, spans: readonly Span[]): string => {
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
  return result + text.slice(rest)
}
