import type {
  CheckFinding,
  ListedRule,
  RulesBacktest,
  RulesCheck,
  RulesLearnt,
  RulesList,
  RulesTested,
  RuleTemplate,
  TrustedFile,
} from '../../contract/outputs/rule-tools.ts'
import { collectLines, counted, formatAge, formatTable, joinLines } from '../format.ts'
import type { Reader, Style } from '../output.ts'
import { deniedText, shownFrom } from './rules-here.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'

const actionWord = ({ action, isGuard }: Pick<ListedRule, 'action' | 'isGuard'>): string =>
  isGuard ? `${action}, guard` : action

type Problem = RulesList['problems'][number]

/** As a compiler says it: where, what, and what to do. */
const problemText = ({ file, line, column, message, hint }: Problem, cwd: string, style: Style): string => {
  const where = `${shownPath(shownFrom(cwd, file))}:${line}:${column}`
  const said = `${style.bold(where)}: ${style.red('invalid')}: ${oneLine(message, 500)}`
  return hint === '' ? said : `${said}\n  ${oneLine(hint, 500)}`
}

export const listText = (list: RulesList, cwd: string, style: Style, columns?: number): string =>
  joinLines(
    list.rules.length === 0
      ? 'There are no rules here. A first one: rein rules new no-force-push'
      : formatTable(
          ['RULE', 'DOES', 'ON', 'FROM'],
          list.rules.map((rule) => [
            rule.name,
            `${rule.isOn ? actionWord(rule) : 'off'}${rule.isWaiting ? ' (untrusted)' : ''}`,
            rule.on.join(' '),
            rule.origin === 'pack' ? 'pack' : `${shownPath(shownFrom(cwd, rule.file))}:${rule.line}`,
          ]),
          { columns },
        ),
    '',
    formatTable(
      ['PACK', '', 'RULES', ''],
      list.packs.map(({ name, isOn, rules, description }) => [name, isOn ? 'on' : 'off', String(rules), description]),
      { columns },
    ),
    ...list.problems.flatMap((problem) => ['', problemText(problem, cwd, style)]),
    ...deniedText(list.problems),
    list.untrusted.length > 0 && ['', waitingText(list.untrusted, cwd, style)],
  )

export const waitingText = (files: readonly string[], cwd: string, style: Style): string => {
  const names = files.map((file) => shownPath(shownFrom(cwd, file))).join(', ')
  return style.yellow(`Rewrites and external programs of ${names} are off until you trust them: rein rules trust`)
}

const colourOf = { block: 'red', ask: 'red', rewrite: 'yellow', warn: 'yellow', context: 'cyan', log: 'cyan' } as const

const lineMax = 160

/** The finding, the line that it is about, and a mark under the place. */
const findingText = (finding: CheckFinding, style: Style): string => {
  const { file, line, column, endLine, endColumn, rule, action, message, text } = finding
  const where = style.bold(`${shownPath(file)}:${line}:${column}`)
  const said = `${where}: ${style[colourOf[action]](action)} ${style.bold(rule)}: ${oneLine(message, 1000)}`
  if (text.trim() === '' || column > lineMax) return said
  // Each character in one cell, so that the mark stands under its place.
  const plain = text.replaceAll('\t', ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '·')
  const shown = plain.length > lineMax ? `${plain.slice(0, lineMax)}…` : plain
  const length = Math.max(1, (endLine === line ? endColumn : text.length + 1) - column)
  const mark = ' '.repeat(column - 1) + '^'.repeat(Math.min(length, Math.max(1, shown.length - column + 1)))
  const number = String(line)
  return [said, ` ${number} | ${shown}`, ` ${' '.repeat(number.length)} | ${style.red(mark)}`].join('\n')
}

export const checkText = (check: RulesCheck, cwd: string, style: Style): string => {
  const { files, rules, skipped, findings, problems } = check
  const blocks = findings.filter(({ action }) => action === 'block').length
  const left = Object.entries(skipped).flatMap(([why, count]) => (count === 0 ? [] : [`${count} ${why}`]))
  const what = collectLines(
    problems.length > 0 && `${counted(problems.length, 'mistake')} in rule files`,
    findings.length === 0 ? 'nothing found' : `${counted(findings.length, 'finding')}, ${blocks} of them forbidden`,
  )
  const skippedText = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
  return joinLines(
    ...check.problems.map((problem) => problemText(problem, cwd, style)),
    ...deniedText(check.problems),
    ...check.findings.map((finding) => findingText(finding, style)),
    check.problems.length + check.findings.length > 0 && '',
    `${what.join('; ')}. ${counted(rules, 'rule')} on ${counted(files, 'file')}${skippedText}.`,
  )
}

export const testedText = ({ passed, failures, untested, problems }: RulesTested, cwd: string, style: Style): string =>
  joinLines(
    ...problems.map((problem) => problemText(problem, cwd, style)),
    ...deniedText(problems),
    ...failures.map((failure) =>
      [
        `${style.red('✗')} ${style.bold(failure.rule)}, test ${failure.test} (${shownPath(shownFrom(cwd, failure.file))}:${failure.line})`,
        `    input     ${oneLine(failure.input, 200)}`,
        `    expected  ${oneLine(failure.expected, 300)}`,
        `    came      ${oneLine(failure.came, 300)}`,
      ].join('\n'),
    ),
    untested.length > 0 && style.dim(`Without tests: ${untested.join(', ')}`),
    `${passed} passed, ${failures.length} failed`,
  )

export const templatesText = (templates: readonly RuleTemplate[], columns?: number): string =>
  [
    formatTable(
      ['TEMPLATE', 'DOES', 'ON', ''],
      templates.map((template) => [template.name, actionWord(template), template.on.join(' '), template.description]),
      { columns },
    ),
    '',
    'rein rules new no-force-push                        one of them under its own name',
    'rein rules new our-name --template no-force-push    under another',
  ].join('\n')

/** What a file would be allowed to do, for the person who decides. */
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
    mild.length > 0 && [style.bold('Only warned or logged:'), ...mild.map((rule) => ruleText(rule, limit, now, style))],
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
    const doubt = [
      call.approved > 0 ? `; a person allowed it` : '',
      call.succeeded > 0 ? `; it went well ${counted(call.succeeded, 'time')}` : '',
      call.isDoubt ? '; in doubt' : '',
    ].join('')
    return `  ${mark} ${call.count}×  ${oneLine(call.summary, 120)}  ${style.dim(`${call.agents.join(', ')}${age}${doubt}`)}`
  })
  const more = calls.length > limit ? [`    … and ${calls.length - limit} more: --limit N`] : []
  return [head, ...rows, ...more, ''].join('\n')
}

export const learntText = ({ proposals }: RulesLearnt, cwd: string, reader: Reader): string => {
  if (proposals.length === 0)
    return 'Nothing to propose: no call was refused or corrected twice, and no command kept failing.'
  const texts = proposals.map(({ yaml, file }) =>
    file === null ? block(yaml.trimEnd(), reader) : `Written: ${shownPath(shownFrom(cwd, file))}`,
  )
  return [...texts, '', `${counted(proposals.length, 'proposal')}. None is in force.`].join('\n')
}
