import type { Story, StoryAgent, StoryMoment, StoryTurn } from '../../contract/routes/story.ts'
import { shortId } from '../../contract/ids.ts'
import { momentText, outcomeText } from '../../contract/story-words.ts'
import { projectName } from '../../contract/handle.ts'
import { cellWidth, pad, wrapAt } from '../cells.ts'
import { alignColumns, collectLines, counted, formatDay, formatTime, formatTook, joinLines } from '../format.ts'
import type { Style } from '../output.ts'
import { oneLine } from '../safe-text.ts'

const textLimit = 300
const nameLimit = 64
const shownFiles = 5
const shownCommands = 4
const kindWidth = 9
const timeWidth = 8

/** A terminal cuts nothing off: what does not fit goes on below. */
interface StoryView {
  style: Style
  columns: number
  isAgent: boolean
}

export const storyText = (story: Story, { style, columns, isAgent }: StoryView): string => {
  const { subject, state, from, to, isCut, foldedCount, moments, agents, blockers } = story
  const name = `${style.bold(oneLine(subject.name, nameLimit))} (${subject.kind} of ${oneLine(projectName(subject.project), nameLimit)})`
  const is = state === null ? '' : ` is ${state.replaceAll('_', ' ')}`
  const when = from === null ? ': nothing happened yet.' : `; since ${formatTime(from, to)}, ${formatTook(to - from)}.`
  const names = Math.max(...moments.map(({ agent }) => cellWidth(agent ?? '-')), 1)
  const days = moments.map(({ at }) => formatDay(at))
  return joinLines(
    `${name}${is}${when}`,
    isCut && style.yellow('The log does not reach back to all of it.'),
    foldedCount > 0 && `It is long: ${counted(foldedCount, 'moment')} are told together with others.`,
    moments.flatMap((moment, index) => {
      const day = days[index] ?? ''
      const lines = momentLines(moment, names, { style, columns, isAgent })
      return day === days[index - 1] ? lines : ['', style.bold(day), ...lines]
    }),
    '',
    agents.length === 0 ? 'No agents.' : alignColumns([agentHeader, ...agents.map(agentCells)], { columns }),
    blockers.map(
      ({ from: who, at, text, id }) =>
        `${style.yellow('still blocked')} ${shortId(id)} from ${oneLine(who, nameLimit)}, ${formatTook(to - at)} ago: ${oneLine(text, textLimit)}`,
    ),
  )
}

/** The first line begins with time, agent and kind; the others are indented below its text. */
const momentLines = (moment: StoryMoment, names: number, { style, columns, isAgent }: StoryView): string[] => {
  const { at, until, agent, kind, tone, count, why, turn, outcome } = moment
  const indent = timeWidth + names + kindWidth + 6
  const room = columns - indent
  const start = `${style.dim(formatTime(at, at))}  ${style.cyan(pad(agent ?? '-', names))}  ${style.dim(pad(kind, kindWidth))}  `
  const many = count > 1 && kind === 'turn' ? `${counted(count, 'turn')}: ` : ''
  const more = (line: string, paint = (part: string): string => part): string[] =>
    wrapped(line, room - 2).map((part) => `  ${paint(part)}`)
  const lines = collectLines(
    wrapped(`${many}${oneLine(momentText(moment, { isAgent }), textLimit)}`, room).map((line) =>
      toned(style, tone)(line),
    ),
    why !== null && more(oneLine(why, textLimit)),
    turn !== null && turnLines(turn).flatMap((line) => more(line)),
    turn !== null && more(costLine(turn, until === null ? null : until - at), style.dim),
    outcome !== null &&
      more(
        `→ ${oneLine(outcomeText(outcome, { isAgent }), textLimit)}, after ${formatTook(Math.max(0, outcome.at - at))}`,
        toned(style, outcome.tone),
      ),
  )
  return lines.map((line, index) => (index === 0 ? start : ' '.repeat(indent)) + line)
}

const wrapped = (line: string, columns: number): string[] =>
  wrapAt(line, Math.max(20, columns)).map(([from, to]) => line.slice(from, to))

const toned = (style: Style, tone: StoryMoment['tone']): ((text: string) => string) =>
  ({ plain: (text: string) => text, good: style.green, warn: style.yellow, bad: style.red })[tone]

export const turnLines = ({ files, fileCount, commands, commandCount, reply, allowedCount }: StoryTurn): string[] =>
  collectLines(
    fileCount > 0 &&
      `changed ${listed(
        files.map((file) => oneLine(file, textLimit)),
        shownFiles,
        fileCount,
      )}`,
    commandCount > 0 &&
      `ran ${listed(
        commands.map(({ command, outcome, exit }) => {
          const end = outcome === 'failed' && exit !== null ? `failed: ${exit}` : outcome
          return `${oneLine(command, textLimit)}${outcome === 'ok' ? '' : ` (${end})`}`
        }),
        shownCommands,
        commandCount,
      )}`,
    allowedCount > 0 && `was allowed ${counted(allowedCount, 'call')} without asking`,
    reply !== null && reply !== '' && `said: ${oneLine(reply, textLimit)}`,
  )

const listed = (items: string[], most: number, count: number): string => {
  const shown = items.slice(0, most)
  return `${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`
}

export const costLine = (turn: StoryTurn, tookMs: number | null): string =>
  [
    tookMs === null ? 'goes on' : `took ${formatTook(tookMs)}`,
    ...(tokensOf(turn) === 0 ? [] : [`${formatCount(tokensOf(turn))} tokens`]),
    ...(turn.costUsd === null ? [] : [formatCost(turn.costUsd)]),
  ].join(', ')

const tokensOf = (used: Pick<StoryTurn, 'inputTokens' | 'cacheTokens' | 'outputTokens'>): number =>
  used.inputTokens + used.cacheTokens + used.outputTokens

/** `950`, `12.3k`, `1.2M`. */
export const formatCount = (count: number): string => {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

const formatCost = (usd: number | null): string => (usd === null ? '-' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`)

export const agentHeader =
  'AGENT ROLE DRIVER TURNS FILES COMMANDS FAILED CRASHES TOKENS COST WORKING IDLE WAITING'.split(' ')

export const agentCells = (agent: StoryAgent): string[] => [
  agent.handle,
  agent.role ?? '-',
  agent.driver ?? '-',
  String(agent.turns),
  String(agent.files),
  String(agent.commands),
  String(agent.failed),
  String(agent.crashes),
  formatCount(tokensOf(agent)),
  formatCost(agent.costUsd),
  ...[agent.workingMs, agent.idleMs, agent.waitingMs].map((ms) => formatTook(ms)),
]
