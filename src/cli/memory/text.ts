import path from 'node:path'
import type {
  AdviceView,
  DiagnosisView,
  Forgotten,
  HistoryView,
  ProjectView,
  SuggestionView,
} from '../../contract/routes/memory.ts'
import {
  alignColumns,
  collectLines,
  counted,
  formatAge,
  formatShare,
  formatTable,
  formatTime,
  formatTook,
  joinLines,
} from '../format.ts'
import type { Reader, Style } from '../output.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'

const commandLimit = 300
const nameLimit = 60
const reasonLimit = 200

const commandOf = (text: string): string => oneLine(text, commandLimit)

/** A command on a line of its own, so that others can be fed with it. */
export const suggestionLine = (
  { text, source, score, reasons }: SuggestionView,
  isExplained: boolean,
  { style }: Reader,
): string => {
  if (!isExplained) return shownPath(text)
  const because = reasons.map((reason) => oneLine(reason, reasonLimit)).join('; ')
  return [
    `${formatShare(score).padStart(7)}  ${style.bold(shownPath(text))}`,
    `         ${style.dim([source, because].filter(Boolean).join(': '))}`,
  ].join('\n')
}

interface Seen {
  now: number
  cwd: string
  limit: number
  isAll: boolean
  /** Whether only some were asked for. */
  isFiltered: boolean
}

/** As a shell shows its history: newest last. */
export const historyText = (found: HistoryView[], seen: Seen, style: Style): string => {
  if (found.length === 0) return nothingFound(seen)
  const items = found.toReversed()
  const lines = alignColumns(items.map((item) => historyRow(item, seen)))
  const more = found.length < seen.limit ? [] : [`(The newest ${seen.limit}; --limit N shows more.)`]
  return [...lines.map((line, index) => (items[index]?.outcome === 'failed' ? style.red(line) : line)), ...more].join(
    '\n',
  )
}

const nothingFound = ({ isAll, isFiltered }: Seen): string => {
  const what = isFiltered ? 'No such commands' : 'No commands'
  return isAll ? `${what} are remembered.` : `${what} are remembered here; --all looks in all projects.`
}

const historyRow = (item: HistoryView, { now, cwd, isAll }: Seen): string[] =>
  collectLines(
    item.at === null ? '-' : formatTime(item.at, now),
    isAll && oneLine(item.project, nameLimit),
    item.agent ?? oneLine(item.author, nameLimit),
    endingOf(item),
    item.durationMs === null ? '' : formatTook(item.durationMs),
    `${commandOf(item.command)}${placeOf(item.cwd, cwd)}`,
  )

const endings = { ok: 'ok', interrupted: 'stopped', background: 'background', unknown: '?' }

const endingOf = ({ outcome, exit }: Pick<HistoryView, 'outcome' | 'exit'>): string =>
  outcome === 'failed' ? `exit ${exit ?? '?'}` : endings[outcome]

/** Where it was run, if that was not here. */
const placeOf = (dir: string | null, here: string): string => {
  if (dir === null || dir === here) return ''
  const relative = path.relative(here, dir)
  return `   (in ${shownPath(relative.startsWith('..') ? dir : relative)})`
}

export const diagnosisText = ({ command, exit, error, means, run, fixes }: DiagnosisView, reader: Reader): string => {
  const { style } = reader
  const helped = fixes.map((fix) => `  ${fixOf(fix, commandOf(command))}: ${oneLine(fix.why, reasonLimit)}`)
  const isKnown = means !== null || run.length > 0 || fixes.length > 0
  return joinLines(
    `${style.bold(commandOf(command))} failed${exit === null ? '' : ` (exit ${exit})`}${error === '' ? '.' : ':'}`,
    error !== '' && block(oneLine(error, commandLimit), reader),
    means !== null && `It usually means: ${oneLine(means, commandLimit)}`,
    helped.length > 0 && ['What helped here:', ...helped],
    run.length > 0 && ['To look further, or to repair it:', ...run.map((each) => `  ${commandOf(each)}`)],
    !isKnown && 'Nothing is known about such a failure yet, neither in general nor from this project.',
  )
}

const fixOf = ({ command, kind }: DiagnosisView['fixes'][number], failed: string): string => {
  const fix = commandOf(command)
  return {
    edit: `change ${fix}`,
    instead: `${fix} instead`,
    before: `first ${fix}, then ${failed}`,
    again: `${fix} again`,
  }[kind]
}

export const projectText = (
  { project, commands, sessions, primer, known }: ProjectView,
  now: number,
  reader: Reader,
): string => {
  if (commands === 0)
    return `Nothing is remembered of ${oneLine(project, nameLimit)} yet. Agents that Rein knows of feed it by themselves, your shell with rein shell init, old histories with rein memory import.`
  const rows = known.map(({ purpose, command, runs, ok, lastAt }) => [
    purpose,
    commandOf(command),
    String(runs),
    formatShare(runs === 0 ? null : ok / runs),
    lastAt === null ? '-' : formatAge(lastAt, now),
  ])
  return joinLines(
    `${reader.style.bold(oneLine(project, nameLimit))}: ${counted(commands, 'command')} of ${counted(sessions, 'session')} are remembered.`,
    rows.length > 0 && formatTable(['FOR', 'COMMAND', 'RUNS', 'OK', 'LAST'], rows),
    ...(primer === null
      ? ['Too little is known to tell an agent something when it starts here.']
      : ['What an agent is told when it starts here:', block(primer, reader)]),
  )
}

export const forgettableText = ({ forgotten, matched, examples }: Forgotten, reader: Reader): string => {
  if (forgotten === 0) return 'There is nothing to forget: no such commands are remembered.'
  const shown = examples.map((each) => block(commandOf(each), reader))
  const more = forgotten > examples.length ? [`    and ${forgotten - examples.length} more`] : []
  return [`${counted(forgotten, 'command')} would be forgotten${foundBy(matched)}:`, ...shown, ...more].join('\n')
}

export const forgottenText = ({ forgotten, matched, beyond }: Forgotten): string =>
  joinLines(
    `Forgot ${counted(forgotten, 'command')}${foundBy(matched)}.`,
    beyond.length > 0 && 'Not reached: bundles that were exported, and what the CLIs keep themselves:',
    ...beyond.map((each) => `    ${shownPath(each)}`),
  )

const partNames = {
  output: 'their output',
  cwd: 'their directory',
  branch: 'their branch',
  edited: 'the files changed before',
} as const

/** Who names a word may not think of where else it stands. */
const foundBy = (matched: Forgotten['matched']): string => {
  const parts = Object.entries(partNames).map(([part, name]) => ({
    name,
    count: matched[part as keyof typeof partNames],
  }))
  const others = parts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} by ${name}`)
  return others.length === 0 ? '' : ` (${others.join(', ')})`
}

/** Decisions to speak or to be silent, newest last. */
export const adviceText = (decisions: AdviceView[], seen: SeenDecisions, reader: Reader): string =>
  decisions.length === 0
    ? noDecision(seen)
    : decisions
        .toSorted((a, b) => a.position - b.position)
        .map((decision) => decisionText(decision, seen.now, reader))
        .join('\n')

interface SeenDecisions {
  now: number
  session?: string
  shown?: boolean
  all?: boolean
}

const noDecision = ({ session, shown, all }: SeenDecisions): string => {
  if (session !== undefined)
    return `No decision was made in a conversation ${oneLine(session, nameLimit)}${all ? '' : ' of this project'}.`
  if (shown) return 'Nothing was said yet: rein memory log has every decision, and why.'
  return 'No decision was made yet: there is one whenever an agent runs a command.'
}

const decisionText = (decision: AdviceView, now: number, reader: Reader): string => {
  const { at, agent, session, moment, kind, isShown, why, text, about, next, suggestions } = decision
  const who = agent ?? oneLine(session, nameLimit)
  const head = `${formatTime(at, now)} ${who}, ${momentText(moment, about)}: ${isShown ? `said (${kind})` : 'silent'}, ${oneLine(why, reasonLimit)}${aboutFirst(why, suggestions)}`
  const then = next === null ? [] : [`  then: ${commandOf(next.command)} (${next.outcome})`]
  const said = text === null ? [] : [`${isShown ? '' : '  would have said:\n'}${block(text, reader)}`]
  return [isShown ? reader.style.bold(head) : reader.style.dim(head), ...said, ...then].join('\n')
}

/** For which the likeliest command is the reason. */
const ofFirst = ['just run', 'never run here', 'fails here', 'not to be suggested', 'not sure enough']

const aboutFirst = (why: string, [first]: AdviceView['suggestions']): string =>
  first !== undefined && ofFirst.includes(why) ? `: ${oneLine(first.command, nameLimit)}` : ''

const momentText = (moment: AdviceView['moment'], about: string | null): string => {
  const words = { start: 'at the start', prompt: 'with a prompt', before: 'before', after: 'after' }[moment]
  return about === null ? words : `${words} ${oneLine(about, nameLimit)}`
}
