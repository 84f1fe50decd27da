import type {
  CheckFinding,
  FailedTest,
  ListedRule,
  RulesBacktest,
  RulesCheck,
  RulesLearnt,
  RulesList,
  RulesTested,
  RuleTemplate,
  TrustedFile,
} from '../../contract/outputs/rule-tools.ts'
import { counted, formatAge, formatTable, joinLines } from '../format.ts'
import type { Reader, Style } from '../output.ts'
import { deniedText, shownFrom } from './rules-here.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'

const actionWord = ({ action, isGuard }: Pick<ListedRule, 'action' | 'isGuard'>): string =>
  isGuard ? `${action}, guard` : action

type Problem = RulesList['problems'][number]

/** As a compiler says it: where, what, and what to do. */
export const problemText = ({ file, line, column, message, hint }: Problem, cwd: string, style: Style): string => {
  const where = `${shownPath(shownFrom(cwd, file))}:${line}:${column}`
  const said = `${style.bold(where)}: ${style.red('invalid')}: ${oneLine(message, 500)}`
  return hint === '' ? said : `${said}\n  ${oneLine(hint, 500)}`
}

export const listText = (list: RulesList, cwd: string, style: Style): string =>
  joinLines(
    list.rules.length === 0
      ? 'There are no rules here. A first one: rein rules new no-force-push'
      : formatTable(
          ['RULE', 'DOES', 'ON', 'FROM'],
          list.rules.map((rule) => listRow(rule, cwd)),
        ),
    '',
    formatTable(
      ['PACK', '', 'RULES', ''],
      list.packs.map(({ name, isOn, rules, description }) => [name, isOn ? 'on' : 'off', String(rules), description]),
    ),
    ...list.problems.flatMap((problem) => ['', problemText(problem, cwd, style)]),
    ...deniedText(list.problems),
    list.untrusted.length > 0 && ['', waitingText(list.untrusted, cwd, style)],
  )

const listRow = (rule: ListedRule, cwd: string): string[] => {
  const { name, on, origin, file, line } = rule
  const standing = rule.isWaiting ? ' (waits for trust)' : ''
  const does = rule.isOn ? actionWord(rule) : 'off'
  const from = origin === 'pack' ? 'pack' : `${shownPath(shownFrom(cwd, file))}:${line}`
  return [name, `${does}${standing}`, on.join(' '), from]
}

export const waitingText = (files: readonly string[], cwd: string, style: Style): string => {
  const names = files.map((file) => shownPath(shownFrom(cwd, file))).join(', ')
  return style.yellow(`Rewrites and external programs of ${names} wait until you trust them: rein rules trust`)
}

const colourOf = { block: 'red', ask: 'red', rewrite: 'yellow', warn: 'yellow', context: 'cyan', log: 'cyan' } as const

const lineMax = 160

/** The finding, the line that it is about, and a mark under the place. */
const findingText = (finding: CheckFinding, style: Style): string => {
  const { file, line, column, endLine, endColumn, rule, action, message, text } = finding
  const where = style.bold(`${shownPath(file)}:${line}:${column}`)
  const said = `${where}: ${style[colourOf[action]](action)} ${style.bold(rule)}: ${oneLine(message, 1000)}`
  if (text.trim() === '' || column > lineMax) return said
  const shown = oneCell(text)
  const length = Math.max(1, (endLine === line ? endColumn : text.length + 1) - column)
  const mark = ' '.repeat(column - 1) + '^'.repeat(Math.min(length, Math.max(1, shown.length - column + 1)))
  const number = String(line)
  return [said, ` ${number} | ${shown}`, ` ${' '.repeat(number.length)} | ${style.red(mark)}`].join('\n')
}

/** Each character in one cell, so that the mark stands under its place. */
const oneCell = (text: string): string => {
  const plain = text.replaceAll('\t', ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '·')
  return plain.length > lineMax ? `${plain.slice(0, lineMax)}…` : plain
}

export const checkText = (check: RulesCheck, cwd: string, style: Style): string =>
  joinLines(
    ...check.problems.map((problem) => problemText(problem, cwd, style)),
    ...deniedText(check.problems),
    ...check.findings.map((finding) => findingText(finding, style)),
    check.problems.length + check.findings.length > 0 && '',
    checkedText(check),
  )

const checkedText = ({ files, rules, skipped, findings, problems }: RulesCheck): string => {
  const blocks = findings.filter(({ action }) => action === 'block').length
  const left = Object.entries(skipped).flatMap(([why, count]) => (count === 0 ? [] : [`${count} ${why}`]))
  const what = [
    problems.length === 0 ? [] : [`${counted(problems.length, 'mistake')} in rule files`],
    findings.length === 0 ? ['nothing found'] : [`${counted(findings.length, 'finding')}, ${blocks} of them forbidden`],
  ].flat()
  const skippedText = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
  return `${what.join('; ')}. ${counted(rules, 'rule')} on ${counted(files, 'file')}${skippedText}.`
}

const failureText = (
  { rule, file, line, test, input, expected, came }: FailedTest,
  cwd: string,
  style: Style,
): string =>
  [
    `${style.red('✗')} ${style.bold(rule)}, test ${test} (${shownPath(shownFrom(cwd, file))}:${line})`,
    `    input     ${oneLine(input, 200)}`,
    `    expected  ${oneLine(expected, 300)}`,
    `    came      ${oneLine(came, 300)}`,
  ].join('\n')

export const testedText = ({ passed, failures, untested, problems }: RulesTested, cwd: string, style: Style): string =>
  joinLines(
    ...problems.map((problem) => problemText(problem, cwd, style)),
    ...deniedText(problems),
    ...failures.map((failure) => failureText(failure, cwd, style)),
    untested.length > 0 && style.dim(`Without tests: ${untested.join(', ')}`),
    `${passed} passed, ${failures.length} failed`,
  )

export const templatesText = (templates: readonly RuleTemplate[]): string =>
  [
    formatTable(
      ['TEMPLATE', 'DOES', 'ON', ''],
      templates.map((template) => [template.name, actionWord(template), template.on.join(' '), template.description]),
    ),
    '',
    'rein rules new no-force-push                        one of them under its own name',
    'rein rules new our-name --template no-force-push    under another',
  ].join('\n')

/** What a file would be allowed to do, for somebody who decides about it. */
export const allowsText = ({ file, allows }: TrustedFile, cwd: string, reader: Reader): string =>
  [`${shownPath(shownFrom(cwd, file))}:`, ...allows.map((what) => block(what, reader))].join('\n')

/** All that rules would have done, likely false alarms first. */
export const backtestText = (backtest: RulesBacktest, limit: number, now: number, style: Style): string => {
  const { rules, calls, prompts, stops, sessions, unknown } = backtest
  const looked = [counted(calls, 'call'), counted(prompts, 'prompt'), counted(stops, 'stop')].join(', ')
  const strong = rules.filter(({ action }) => action !== 'log' && action !== 'warn' && action !== 'context')
  const mild = rules.filter((rule) => !strong.includes(rule))
  return joinLines(
    ...strong.map((rule) => ruleText(rule, limit, now, style)),
    mild.length > 0 && [style.bold('Only said or noted:'), ...mild.map((rule) => ruleText(rule, limit, now, style))],
    `${counted(rules.length, 'rule')} would have acted. Looked at ${looked} in ${counted(sessions, 'conversation')}.`,
    unknown > 0 && `${counted(unknown, 'call')} of agent CLIs that are not known any more were left out.`,
  )
}

const ruleText = (rule: RulesBacktest['rules'][number], limit: number, now: number, style: Style): string => {
  const { calls, count, likelyFalse } = rule
  const doubts = likelyFalse === 0 ? '' : `, ${likelyFalse} to review as likely false alarms`
  const head = `${style.bold(rule.rule)} would have said ${actionWord(rule)} ${counted(count, 'time')} to ${counted(calls.length, 'different call')}${doubts}`
  const rows = calls.slice(0, limit).map((call) => {
    const mark = call.isLikelyFalse ? style.yellow('?') : ' '
    const age = call.lastAt === null ? '' : ` ${formatAge(call.lastAt, now)} ago`
    return `  ${mark} ${call.count}×  ${oneLine(call.summary, 120)}  ${style.dim(`${call.agents.join(', ')}${age}${whyFalse(call)}`)}`
  })
  const more = calls.length > limit ? [`    … and ${calls.length - limit} more: --limit N`] : []
  return [head, ...rows, ...more, ''].join('\n')
}

const whyFalse = ({ approved, succeeded, isDoubt }: RulesBacktest['rules'][number]['calls'][number]): string =>
  [
    approved > 0 ? `; a person allowed it` : '',
    succeeded > 0 ? `; it went well ${counted(succeeded, 'time')}` : '',
    isDoubt ? '; in doubt' : '',
  ].join('')

export const learntText = ({ proposals }: RulesLearnt, cwd: string, reader: Reader): string => {
  if (proposals.length === 0)
    return 'Nothing to propose: nobody refused or corrected the same thing twice, and nothing kept failing.'
  const texts = proposals.map(({ yaml, file }) =>
    file === null ? block(yaml.trimEnd(), reader) : `Written: ${shownPath(shownFrom(cwd, file))}`,
  )
  return [...texts, '', `${counted(proposals.length, 'proposal')}. None is in force.`].join('\n')
}
