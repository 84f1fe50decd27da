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
  counted,
  formatAge,
  formatShare,
  formatTable,
  formatTime,
  formatTook,
  joinLines,
  nameProjects,
} from '../format.ts'
import type { Reader, Style } from '../output.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'

const commandLimit = 300
const nameLimit = 60
const reasonLimit = 200

const shortenCommand = (text: string): string => oneLine(text, commandLimit)

/** One command a line, so that other programs can read it. */
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
  isFiltered: boolean
}

/** As a shell shows its history: newest last. */
export const historyText = (found: HistoryView[], seen: Seen, style: Style, columns?: number): string => {
  if (found.length === 0) {
    const what = seen.isFiltered ? 'No such commands' : 'No commands'
    return seen.isAll ? `${what} are remembered.` : `${what} are remembered here; --all looks in all projects.`
  }
  const items = found.toReversed()
  const nameProject = nameProjects(items.map(({ project }) => project))
  const rows = items.map((item) => {
    const relative = item.cwd === null ? '' : path.relative(seen.cwd, item.cwd)
    const place = relative === '' ? '' : `   (in ${shownPath(relative.startsWith('..') ? (item.cwd ?? '') : relative)})`
    return [
      item.at === null ? '-' : formatTime(item.at, seen.now),
      ...(seen.isAll ? [nameProject(item.project)] : []),
      item.agent ?? oneLine(item.author, nameLimit),
      item.outcome === 'failed' ? `exit ${item.exit ?? '?'}` : endings[item.outcome],
      item.durationMs === null ? '' : formatTook(item.durationMs),
      `${shortenCommand(item.command)}${place}`,
    ]
  })
  return joinLines(
    alignColumns(rows, { columns }).map((line, index) => (items[index]?.outcome === 'failed' ? style.red(line) : line)),
    found.length >= seen.limit && `(The newest ${seen.limit}; --limit N shows more.)`,
  )
}

const endings = { ok: 'ok', interrupted: 'stopped', background: 'background', unknown: '?' }

export const diagnosisText = ({ command, exit, error, means, run, fixes }: DiagnosisView, reader: Reader): string => {
  const { style } = reader
  const helped = fixes.map(({ command: given, kind, why }) => {
    const fix = shortenCommand(given)
    const advice = {
      edit: `change ${fix}`,
      instead: `${fix} instead`,
      before: `first ${fix}, then ${shortenCommand(command)}`,
      again: `${fix} again`,
    }[kind]
    return `  ${advice}: ${oneLine(why, reasonLimit)}`
  })
  const isKnown = means !== null || run.length > 0 || fixes.length > 0
  return joinLines(
    `${style.bold(shortenCommand(command))} failed${exit === null ? '' : ` (exit ${exit})`}${error === '' ? '.' : ':'}`,
    error !== '' && block(oneLine(error, commandLimit), reader),
    means !== null && `It usually means: ${oneLine(means, commandLimit)}`,
    helped.length > 0 && ['What helped here:', ...helped],
    run.length > 0 && ['To look further, or to repair it:', ...run.map((each) => `  ${shortenCommand(each)}`)],
    !isKnown && 'Nothing is known about such a failure yet, neither in general nor from this project.',
  )
}

export const projectText = (
  { project, commands, sessions, primer, known }: ProjectView,
  now: number,
  reader: Reader,
): string => {
  if (commands === 0)
    return `Nothing is remembered of ${oneLine(project, nameLimit)} yet. Agents that Rein knows of feed it by themselves, your shell with rein memory shell init, old histories with rein memory import.`
  const rows = known.map(({ purpose, command, runs, ok, lastAt }) => [
    purpose,
    shortenCommand(command),
    String(runs),
    formatShare(runs === 0 ? null : ok / runs),
    lastAt === null ? '-' : formatAge(lastAt, now),
  ])
  return joinLines(
    `${reader.style.bold(oneLine(project, nameLimit))}: ${counted(commands, 'command')} of ${counted(sessions, 'session')} are remembered.`,
    rows.length > 0 && formatTable(['FOR', 'COMMAND', 'RUNS', 'OK', 'LAST'], rows, reader),
    ...(primer === null
      ? ['Too little is known to tell an agent something when it starts here.']
      : ['What an agent is told when it starts here:', block(primer, reader)]),
  )
}

export const forgettableText = ({ forgotten, matched, examples }: Forgotten, reader: Reader): string => {
  if (forgotten === 0) return 'There is nothing to forget: no such commands are remembered.'
  const shown = examples.map((each) => block(shortenCommand(each), reader))
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

/** A pattern may match where the person did not expect it. */
const foundBy = (matched: Forgotten['matched']): string => {
  const parts = Object.entries(partNames).map(([part, name]) => ({
    name,
    count: matched[part as keyof typeof partNames],
  }))
  const others = parts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} by ${name}`)
  return others.length === 0 ? '' : ` (${others.join(', ')})`
}

interface SeenDecisions {
  now: number
  session?: string
  shown?: boolean
  all?: boolean
}

/** Decisions to speak or to be silent, newest last. */
export const adviceText = (decisions: AdviceView[], seen: SeenDecisions, reader: Reader): string => {
  if (decisions.length === 0) {
    if (seen.session !== undefined)
      return `No decision was made in a conversation ${oneLine(seen.session, nameLimit)}${seen.all ? '' : ' of this project'}.`
    return seen.shown
      ? 'Nothing was said yet: rein memory log has every decision, and why.'
      : 'No decision was made yet: there is one whenever an agent runs a command.'
  }
  const texts = decisions
    .toSorted((a, b) => a.position - b.position)
    .map(({ at, agent, session, moment, kind, isShown, why, text, about, next, suggestions: [first] }) => {
      const who = agent ?? oneLine(session, nameLimit)
      const when = about === null ? moments[moment] : `${moments[moment]} ${oneLine(about, nameLimit)}`
      const which = first !== undefined && ofFirst.includes(why) ? `: ${oneLine(first.command, nameLimit)}` : ''
      const head = `${formatTime(at, seen.now)} ${who}, ${when}: ${isShown ? `said (${kind})` : 'silent'}, ${oneLine(why, reasonLimit)}${which}`
      return joinLines(
        isShown ? reader.style.bold(head) : reader.style.dim(head),
        text !== null && `${isShown ? '' : '  would have said:\n'}${block(text, reader)}`,
        next !== null && `  then: ${shortenCommand(next.command)} (${next.outcome})`,
      )
    })
  return texts.join('\n')
}

const moments = { start: 'at the start', prompt: 'with a prompt', before: 'before', after: 'after' } as const

/** Reasons that are about the likeliest command. */
const ofFirst = ['just run', 'never run here', 'fails here', 'not to be suggested', 'not sure enough']
