import type { Story, StoryAgent, StoryMoment, StoryTurn } from '../../contract/routes/story.ts'
import { cellWidth, pad, wrapAt } from '../cells.ts'
import { alignColumns, collectLines, counted, formatDay, formatTime, formatTook } from '../format.ts'
import type { Style } from '../output.ts'
import { oneLine } from '../safe-text.ts'

const textLimit = 300
const nameLimit = 64
const shownFiles = 5
const shownCommands = 4
const kindWidth = 9
const timeWidth = 8

/** A terminal cuts nothing off: what does not fit goes on below. */
export interface StoryView {
  style: Style
  columns: number
}

export const storyText = (story: Story, view: StoryView): string =>
  [
    ...headLines(story, view.style),
    ...momentLines(story, view),
    '',
    ...agentLines(story.agents),
    ...blockerLines(story, view.style),
  ].join('\n')

const headLines = ({ subject, state, from, to, isCut, foldedCount }: Story, style: Style): string[] => {
  const name = `${style.bold(oneLine(subject.name, nameLimit))} (${subject.kind} of ${oneLine(subject.project, nameLimit)})`
  const is = state === null ? '' : ` is ${state.replaceAll('_', ' ')}`
  const when = from === null ? ': nothing happened yet.' : `; since ${formatTime(from, to)}, ${formatTook(to - from)}.`
  return collectLines(
    `${name}${is}${when}`,
    isCut && style.yellow('The log does not reach back to all of it.'),
    foldedCount > 0 && `It is long: ${counted(foldedCount, 'moment')} are told together with others.`,
  )
}

const momentLines = ({ moments }: Story, { style, columns }: StoryView): string[] => {
  const names = Math.max(...moments.map(({ agent }) => cellWidth(agent ?? '-')), 1)
  const indent = timeWidth + names + kindWidth + 6
  const lines: string[] = []
  let day = ''
  for (const moment of moments) {
    const today = formatDay(moment.at)
    if (today !== day) lines.push('', style.bold(today))
    day = today
    lines.push(...oneMoment(moment, names, { style, columns: columns - indent }))
  }
  return lines
}

const oneMoment = (moment: StoryMoment, names: number, { style, columns }: StoryView): string[] => {
  const { at, agent, kind, text, tone } = moment
  const start = `${style.dim(clock(at))}  ${style.cyan(pad(agent ?? '-', names))}  ${style.dim(pad(kind, kindWidth))}  `
  const gap = ' '.repeat(timeWidth + names + kindWidth + 6)
  const many = moment.count > 1 && kind === 'turn' ? `${counted(moment.count, 'turn')}: ` : ''
  const said = wrapped(`${many}${oneLine(text, textLimit)}`, columns).map((line) => toned(style, tone)(line))
  const more = detailLines(moment, style).flatMap(([line, paint]) =>
    wrapped(line, columns - 2).map((one) => `  ${paint(one)}`),
  )
  return [...said, ...more].map((line, index) => (index === 0 ? start : gap) + line)
}

const clock = (at: number): string => formatTime(at, at)

const wrapped = (line: string, columns: number): string[] =>
  wrapAt(line, Math.max(20, columns)).map(([from, to]) => line.slice(from, to))

const plain = (text: string): string => text

const toned = (style: Style, tone: StoryMoment['tone']): ((text: string) => string) =>
  ({ plain, good: style.green, warn: style.yellow, bad: style.red })[tone]

type Painted = [line: string, paint: (text: string) => string]

const detailLines = ({ at, until, why, outcome, turn }: StoryMoment, style: Style): Painted[] => [
  ...(why === null ? [] : [[oneLine(why, textLimit), plain] satisfies Painted]),
  ...(turn === null ? [] : turnLines(turn).map((line): Painted => [line, plain])),
  ...(turn === null ? [] : [[costLine(turn, until === null ? null : until - at), style.dim] satisfies Painted]),
  ...(outcome === null
    ? []
    : [
        [
          `→ ${oneLine(outcome.text, textLimit)}, after ${formatTook(Math.max(0, outcome.at - at))}`,
          toned(style, outcome.tone),
        ] satisfies Painted,
      ]),
]

/** What was done in a turn, in words. */
export const turnLines = ({ files, fileCount, commands, commandCount, reply, allowedCount }: StoryTurn): string[] =>
  collectLines(
    fileCount > 0 &&
      `changed ${listed(
        files.map((file) => oneLine(file, textLimit)),
        shownFiles,
        fileCount,
      )}`,
    commandCount > 0 && `ran ${listed(commands.map(commandText), shownCommands, commandCount)}`,
    allowedCount > 0 && `was allowed ${counted(allowedCount, 'call')} without asking`,
    !(reply === null || reply === '') && `said: ${oneLine(reply, textLimit)}`,
  )

const listed = (items: string[], most: number, count: number): string => {
  const shown = items.slice(0, most)
  return `${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`
}

const commandText = ({ command, outcome, exit }: StoryTurn['commands'][number]): string => {
  const end = outcome === 'failed' && exit !== null ? `failed: ${exit}` : outcome
  return `${oneLine(command, textLimit)}${outcome === 'ok' ? '' : ` (${end})`}`
}

export const costLine = (turn: StoryTurn, tookMs: number | null): string =>
  [
    tookMs === null ? 'goes on' : `took ${formatTook(tookMs)}`,
    ...(tokensOf(turn) === 0 ? [] : [`${formatCount(tokensOf(turn))} tokens`]),
    ...(turn.costUsd === null ? [] : [formatCost(turn.costUsd)]),
  ].join(', ')

export const tokensOf = (used: Pick<StoryTurn, 'inputTokens' | 'cacheTokens' | 'outputTokens'>): number =>
  used.inputTokens + used.cacheTokens + used.outputTokens

/** `950`, `12.3k`, `1.2M`. */
export const formatCount = (count: number): string => {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export const formatCost = (usd: number | null): string => (usd === null ? '-' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`)

export const agentHeader = [
  'AGENT',
  'ROLE',
  'DRIVER',
  'TURNS',
  'FILES',
  'COMMANDS',
  'FAILED',
  'CRASHES',
  'TOKENS',
  'COST',
  'WORKING',
  'IDLE',
  'WAITING',
]

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

const agentLines = (agents: StoryAgent[]): string[] =>
  agents.length === 0 ? ['No agents.'] : alignColumns([agentHeader, ...agents.map(agentCells)])

const blockerLines = ({ blockers, to }: Story, style: Style): string[] =>
  blockers.map(
    ({ from, at, text, id }) =>
      `${style.yellow('still blocked')} ${id} from ${oneLine(from, nameLimit)}, ${formatTook(to - at)} ago: ${oneLine(text, textLimit)}`,
  )
