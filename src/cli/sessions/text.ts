import type {
  FoundTurn,
  SessionDetail,
  SessionTurnDetail,
  SessionTurnView,
  SessionView,
} from '../../contract/routes/sessions.ts'
import { nameFor } from '../../contract/person.ts'
import { projectName } from '../../contract/handle.ts'
import { changesLines, exactLines, leftOutLines } from './changes-text.ts'
import {
  alignColumns,
  collectLines,
  counted,
  formatAge,
  formatBytes,
  formatMinute,
  formatTable,
  formatTime,
  joinLines,
  nameProjects,
} from '../format.ts'
import { createStyle, type Reader, type Style } from '../output.ts'
import { plainWords } from '../plain-words.ts'
import { loopLines } from '../rules/loops-text.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'
import { drawTree } from './tree.ts'
import { blockLines } from './turn-text.ts'

const nameLimit = 60
const promptLimit = 60
type View = { isAgent: boolean }
const toPerson: View = { isAgent: false }
const excerptLimit = 160
const movesLimit = 10
/** The default of `--limit`. */
export const usualLimit = 50

export const sessionTable = (
  sessions: SessionView[],
  now: number,
  limit: number,
  columns?: number,
  reader: View = toPerson,
): string => {
  if (sessions.length === 0)
    return "No sessions. One begins with the first prompt of an agent: rein up worker-1 --prompt 'What is in this directory?'"
  const projects = sessions.map(({ project }) => project)
  const nameProject = nameProjects(projects)
  const isOfSeveral = new Set(projects).size > 1
  const header = [
    'SESSION',
    'AGENT',
    ...(isOfSeveral ? ['PROJECT'] : []),
    'DRIVER',
    'STATE',
    'TURNS',
    'AT',
    'LAST',
    'PROMPT',
  ]
  const rows = sessions.map((session) => [
    session.id,
    session.agent,
    ...(isOfSeveral ? [nameProject(session.project)] : []),
    session.driver,
    words(session.state),
    String(session.turns),
    session.current ?? '-',
    formatAge(session.lastAt, now),
    oneLine(plainWords(session.lastPrompt, reader), promptLimit),
  ])
  return [
    formatTable(header, rows, { columns, optional: ['DRIVER', 'AT', 'PROJECT'] }),
    ...moreLines(sessions.length, limit),
  ].join('\n')
}

const moreLines = (count: number, limit: number): string[] =>
  count < limit ? [] : [`(The newest ${limit}; --limit N shows more.)`]

const words = (text: string): string => text.replaceAll('_', ' ')

/** A session as a tree of its turns, with the place of its agent, and how it got there. */
export const sessionText = (
  { session, turns, moves, disk, trouble }: SessionDetail,
  now: number,
  style: Style,
  columns?: number,
  reader: View = toPerson,
): string => {
  const root = { label: '0', parent: null, isCurrent: session.current !== null, turn: null }
  const nodes = turns.map((turn) => ({ label: turn.label, parent: turn.parent, isCurrent: turn.isCurrent, turn }))
  const drawn = drawTree([root, ...nodes])
  const rows = drawn.map(({ node: { label, isCurrent, turn }, lanes }) => [
    lanes.replace('*', isCurrent ? '●' : '○'),
    label,
    ...(turn === null
      ? ['', 'before the first prompt', '']
      : [
          formatMinute(turn.startedAt, now),
          oneLine(plainWords(turn.prompt, reader), promptLimit),
          [
            ...(turn.agent === session.agent ? [] : [turn.agent]),
            ...usageWords(turn),
            ...(turn.endedAt === null ? ['not ended'] : turn.hasFiles ? [] : ['files not known']),
          ].join(', '),
        ]),
    ...(label === session.current ? [`← ${session.agent} is here`] : []),
  ])
  const newest = moves
    .slice(-movesLimit)
    .map(({ at, kind, part, by, from, to, state, reason }) => [
      formatMinute(at, now),
      kind,
      part,
      by === null ? '-' : oneLine(nameFor(reader, by), nameLimit),
      from,
      to,
      reason === null ? state : `${state}: ${oneLine(reason, excerptLimit)}`,
    ])
  const { agent, current, conversation } = session
  const where = conversation === null ? '' : `, in the conversation ${oneLine(conversation, nameLimit)}`
  const place = current === null ? `${agent} has moved on to another session` : `${agent} is at turn ${current}${where}`
  return joinLines(
    `${style.bold(session.id)} of ${session.agent} (${oneLine(projectName(session.project), nameLimit)}): ${session.driver}, ${words(session.state)}, in ${shownPath(session.cwd)}`,
    `${counted(session.turns, 'turn')} in ${counted(session.branches, 'conversation')}${sumCosts(turns)}; ${place}.`,
    disk !== null &&
      `The snapshots of these files take up ${formatBytes(disk.bytes)}${disk.sharedBytes === 0 ? '' : `, and share ${formatBytes(disk.sharedBytes)} with the repository`}.`,
    trouble !== null && `Its files are not being saved: ${oneLine(trouble, excerptLimit)}`,
    '',
    alignColumns(rows, { columns }).map((line, index) => {
      const node = drawn[index]?.node
      if (node?.label === session.current) return style.bold(line)
      return node?.isCurrent ? line : style.dim(line)
    }),
    newest.length > 0 && ['', formatTable(['WHEN', 'MOVE', 'WHAT', 'BY', 'FROM', 'TO', 'RESULT'], newest, { columns })],
    moves.length > movesLimit && `(${moves.length - movesLimit} older ones: --json shows all.)`,
  )
}

/** Not every CLI says what a turn cost. */
const sumCosts = (turns: readonly SessionTurnView[]): string => {
  const costs = turns.flatMap(({ costUsd }) => costUsd ?? [])
  if (costs.length === 0) return ''
  const which = costs.length === turns.length ? '' : ` for ${costs.length} of them`
  return `, ${costText(costs.reduce((sum, usd) => sum + usd, 0))}${which}`
}

const costText = (usd: number): string => `$${usd.toFixed(usd < 0.01 ? 4 : 2)}`

const usageWords = ({ model, costUsd }: SessionTurnView): string[] =>
  collectLines(model !== null && oneLine(model, nameLimit), costUsd !== null && costText(costUsd))

const noStyle = createStyle(false)

/** One turn in full: what was asked, said and done, and what became of the files. */
export const turnText = (detail: SessionTurnDetail, now: number, reader: Reader): string => {
  const { session, turn, blocks, skipped, outside } = detail
  const said = blocks.flatMap((each) => blockLines(each, { style: noStyle, isAgent: reader.isAgent }))
  const { startedAt, endedAt, reason } = turn
  const ended = endedAt === null ? 'not ended' : `to ${formatTime(endedAt, now)}`
  const time = `${formatTime(startedAt, now)} ${ended}${reason === null ? '' : ` (${words(reason)})`}`
  return joinLines(
    `${reader.style.bold(`Turn ${turn.label}`)} of ${session}, after turn ${turn.parent}: ${[turn.agent, time, ...usageWords(turn)].join(', ')}`,
    'Prompt:',
    block(plainWords(turn.prompt, reader), reader),
    said.length > 0 && ['Transcript:', block(said.join('\n'), reader)],
    ...loopLines(detail.loops, now),
    ...(detail.changes === null
      ? ['File changes are unknown: there is no snapshot from before or after this turn.']
      : [
          ...changesLines(detail.changes, reader.style),
          ...exactLines(detail.before?.isExact !== false && detail.after?.isExact !== false),
          ...standingLines(detail.before, detail.after),
        ]),
    ...leftOutLines({ skipped, outside }),
  )
}

type Standing = SessionTurnDetail['after']

const standingLines = (before: Standing, after: Standing): string[] => {
  if (after === null || (after.head === null && after.branch === null)) return []
  const [was, is] = [standingText(before ?? after), standingText(after)]
  return [was === is ? `Git: ${is}` : `Git: ${was}, afterwards ${is}`]
}

const standingText = (standing: NonNullable<Standing>): string => {
  const branch = standing.branch === null ? 'no branch' : `branch ${oneLine(standing.branch, nameLimit)}`
  return `${branch}, HEAD ${standing.head?.slice(0, 12) ?? 'without a commit'}`
}

export const foundText = (found: FoundTurn[], now: number, limit: number, reader: Reader): string =>
  found.length === 0
    ? 'Nothing was found.'
    : [
        ...found.flatMap(({ session, turn, agent, at, prompt, excerpt }) => [
          `${reader.style.bold(`${session} turn ${turn}`)} ${agent}, ${formatMinute(at, now)}: ${oneLine(plainWords(prompt, reader), promptLimit)}`,
          block(oneLine(plainWords(excerpt, reader), excerptLimit), reader),
        ]),
        ...moreLines(found.length, limit),
      ].join('\n')
