import type { AdviceView, ConductView, StatsView } from '../../contract/routes/memory.ts'
import { targets } from '../../features/memory/figures/programs.ts'
import { alignColumns, collectLines, counted, formatDay, formatShare, formatTable, joinLines } from '../format.ts'
import type { Style } from '../output.ts'
import { bar, gathered, sparkline } from './plot.ts'
import { oneLine } from '../safe-text.ts'

const nameLimit = 60
const programLimit = 24
/** So many columns fit on a line of 80 characters. */
const [authorsShown, authorLimit] = [3, 10]
const reasonLimit = 100
const plotWidth = 50
const barWidth = 16
const programsShown = 15
const silencesShown = 8

/** How commands went, what was said to agents, and whether it helped. */
export const statsText = (stats: StatsView, style: Style): string => {
  const { project, since, total, secrets } = stats
  const where = project === null ? 'All projects' : oneLine(project, nameLimit)
  if (total.commands === 0) return `${where}: no command was run since ${formatDay(since)}.`
  const { people, agents } = stats
  const columns = [
    ...(people.commands === 0 ? [] : [['people', people] as const]),
    ...agents.slice(0, authorsShown).map(({ author, ...conduct }): Column => [author, conduct]),
  ]
  // As long as there was nothing to say, there is nothing to compare.
  return joinLines(
    `${style.bold(where)} since ${formatDay(since)}: ${counted(total.commands, 'command')} in ${counted(total.sessions, 'session')}, ${formatShare(total.failed)} failed.`,
    '',
    ...dayLines(stats.perDay, style),
    '',
    conductTable([['all', total], ...columns], goals),
    '',
    ...programLines(stats.programs, style),
    ...adviceLines(stats.advice, style),
    stats.trial.advised.commands + stats.trial.heldOut.commands > 0 && [
      '',
      style.bold('Does it help?'),
      conductTable([
        ['advised', stats.trial.advised],
        ['held out', stats.trial.heldOut],
        ['before', stats.trial.before],
      ]),
      verdictOf(stats.trial.failedDifference),
    ],
    secrets > 0 && ['', `${counted(secrets, 'secret')} taken out before anything was stored.`],
  )
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const dayLines = (days: StatsView['perDay'], style: Style): string[] => {
  const groups = gathered(days, plotWidth)
  const commands = groups.map((group) => sum(group.map((day) => day.commands)))
  const failed = groups.map((group) => {
    const known = sum(group.map((day) => day.known))
    return known === 0 ? null : sum(group.map((day) => day.failed)) / known
  })
  const unit = (groups[0]?.length ?? 1) === 1 ? 'day' : `${groups[0]?.length} days`
  return [
    style.bold(`By ${unit}, ${days[0]?.day ?? ''} to ${days.at(-1)?.day ?? ''}`),
    ...alignColumns([
      ['  commands', sparkline(commands), `at most ${Math.max(0, ...commands)}`],
      ['  failed', sparkline(failed), `at most ${formatShare(Math.max(0, ...failed.map((share) => share ?? 0)))}`],
    ]),
  ]
}

type Column = readonly [who: string, conduct: ConductView]

const conductRows: Record<string, (conduct: ConductView) => string> = {
  sessions: ({ sessions }) => String(sessions),
  commands: ({ commands }) => String(commands),
  failed: ({ failed }) => formatShare(failed),
  retried: ({ retries }) => formatShare(retries),
  'wrong tool': ({ wrongTool }) => formatShare(wrongTool),
  'different a session': ({ unique }) => (unique === null ? '-' : unique.toFixed(1)),
  'tokens wasted': ({ wastedTokens }) => String(Math.round(wastedTokens)),
  'minutes wasted': ({ wastedMinutes }) => wastedMinutes.toFixed(1),
}

type Goals = Record<string, string>
const goals: Goals = { failed: formatShare(targets.failed), 'wrong tool': formatShare(targets.wrongTool) }

const conductTable = (columns: readonly Column[], wanted?: Goals): string =>
  formatTable(
    ['', ...columns.map(([who]) => oneLine(who, authorLimit).toUpperCase()), ...(wanted ? ['GOAL'] : [])],
    Object.entries(conductRows).map(([name, figureOf]) => [
      name,
      ...columns.map(([, conduct]) => figureOf(conduct)),
      wanted?.[name] ?? '',
    ]),
  )

const programLines = (programs: StatsView['programs'], style: Style): string[] => {
  if (programs.length === 0) return []
  const shown = programs.filter(({ target }, index) => index < programsShown || target !== null)
  const rows = shown.map(({ program, runs, failed, target }) => [
    oneLine(program, programLimit),
    String(runs),
    formatShare(failed),
    target === null ? '' : `${failed <= target ? 'reached' : 'not yet'}, ${formatShare(target)}`,
    bar(failed, barWidth),
  ])
  const [header = '', ...lines] = alignColumns([['PROGRAM', 'RUNS', 'FAILED', 'GOAL', ''], ...rows])
  return [
    header,
    ...lines.map((line, index) => {
      const { failed = 0, target = null } = shown[index] ?? {}
      return target !== null && failed > target ? style.yellow(line) : line
    }),
  ]
}

const adviceLines = (
  { decisions, shown, followed, followedOk, kinds, silent }: StatsView['advice'],
  style: Style,
): string[] => {
  if (decisions === 0) return ['', `${style.bold('Advice')}: no decision was made yet.`]
  const rows = kinds.map((each) => [
    each.kind,
    String(each.shown),
    ...(nameless.includes(each.kind) ? ['-', '-'] : [String(each.followed), String(each.followedOk)]),
  ])
  const reasons = silent.slice(0, silencesShown).map(({ why, count }) => [`  ${count}`, oneLine(why, reasonLimit)])
  return collectLines(
    '',
    `${style.bold('Advice')}: ${counted(decisions, 'decision')}; something was said ${counted(shown, 'time')}. A command it named was run next ${counted(followed, 'time')}, and succeeded ${counted(followedOk, 'time')}.`,
    rows.length > 0 && formatTable(['SAID', 'TIMES', 'FOLLOWED', 'AND IT WORKED'], rows),
    reasons.length > 0 && ['Nothing was said because:', ...alignColumns(reasons)],
  )
}

/** What names no command to run cannot be followed by one. */
const nameless: readonly AdviceView['kind'][] = ['tool', 'deny']

const points = (value: number): string => `${Math.abs(value).toFixed(1)} ${value > 0 ? 'more' : 'fewer'}`

/** In one plain sentence: by chance alone most differences are none. */
export const verdictOf = (difference: StatsView['trial']['failedDifference']): string => {
  if (difference === null)
    return 'Too early to tell: there are too few conversations with advice, or too few that were held out.'
  const found = `Of 100 commands ${points(difference.points)} failed with advice than in conversations held out (95 % interval: ${points(difference.low)} to ${points(difference.high)}).`
  if (difference.high < 0) return `It helps. ${found}`
  if (difference.low > 0) return `It does harm. ${found} \`rein config set memory.advise false\` ends it.`
  return `Too early to tell: it may be chance. ${found}`
}
