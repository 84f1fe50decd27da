import type {
  FoundTurn,
  SessionDetail,
  SessionTurnDetail,
  SessionTurnView,
  SessionView,
} from '../../contract/routes/sessions.ts'
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
} from '../format.ts'
import { createStyle, type Reader, type Style } from '../output.ts'
import { loopLines } from '../rules/loops-text.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'
import { drawTree } from './tree.ts'
import { blockLines } from './turn-text.ts'

const header = ['SESSION', 'AGENT', 'PROJECT', 'DRIVER', 'STATE', 'TURNS', 'BRANCHES', 'AT', 'LAST', 'PROMPT']
const nameLimit = 60
const promptLimit = 60
const excerptLimit = 160
const movesLimit = 10
/** The default of `--limit`. */
export const usualLimit = 50

export const sessionTable = (sessions: SessionView[], now: number, limit: number): string =>
  sessions.length === 0
    ? 'No sessions. One begins with the first prompt of an agent: rein up <handle> --prompt TEXT'
    : [
        formatTable(
          header,
          sessions.map((session) => [
            session.id,
            session.agent,
            oneLine(session.project, nameLimit),
            session.driver,
            words(session.state),
            String(session.turns),
            String(session.branches),
            session.current ?? '-',
            formatAge(session.lastAt, now),
            oneLine(session.lastPrompt, promptLimit),
          ]),
        ),
        ...moreLines(sessions.length, limit),
      ].join('\n')

const moreLines = (count: number, limit: number): string[] =>
  count < limit ? [] : [`(The newest ${limit}; --limit N shows more.)`]

const words = (text: string): string => text.replaceAll('_', ' ')

/** A session as a tree of its turns, with the place of its agent, and how it got there. */
export const sessionText = (
  { session, turns, moves, disk, trouble }: SessionDetail,
  now: number,
  style: Style,
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
          oneLine(turn.prompt, promptLimit),
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
    .map(({ at, kind, part, from, to, state, reason }) => [
      formatMinute(at, now),
      kind,
      part,
      from,
      to,
      reason === null ? state : `${state}: ${oneLine(reason, excerptLimit)}`,
    ])
  const { agent, current, conversation } = session
  const where = conversation === null ? '' : `, in the conversation ${oneLine(conversation, nameLimit)}`
  const place = current === null ? `${agent} has gone on to another session` : `${agent} is at turn ${current}${where}`
  return joinLines(
    `${style.bold(session.id)} of ${session.agent} (${oneLine(session.project, nameLimit)}): ${session.driver}, ${words(session.state)}, in ${shownPath(session.cwd)}`,
    `${counted(session.turns, 'turn')} in ${counted(session.branches, 'conversation')}; ${place}.`,
    disk !== null &&
      `The snapshots of these files take up ${formatBytes(disk.bytes)}${disk.sharedBytes === 0 ? '' : `, and share ${formatBytes(disk.sharedBytes)} with the repository`}.`,
    trouble !== null && `Its files are not being saved: ${oneLine(trouble, excerptLimit)}`,
    '',
    alignColumns(rows).map((line, index) => {
      const node = drawn[index]?.node
      if (node?.label === session.current) return style.bold(line)
      return node?.isCurrent ? line : style.dim(line)
    }),
    newest.length > 0 && ['', formatTable(['WHEN', 'MOVE', 'WHAT', 'FROM', 'TO', 'RESULT'], newest)],
    moves.length > movesLimit && `(${moves.length - movesLimit} older ones: --json shows all.)`,
  )
}

const usageWords = ({ model, costUsd }: SessionTurnView): string[] =>
  collectLines(
    model !== null && oneLine(model, nameLimit),
    costUsd !== null && `$${costUsd.toFixed(costUsd < 0.01 ? 4 : 2)}`,
  )

const noStyle = createStyle(false)

/** One turn in full: what was asked, said and done, and what became of the files. */
export const turnText = (detail: SessionTurnDetail, now: number, reader: Reader): string => {
  const { session, turn, blocks, skipped, outside } = detail
  const said = blocks.flatMap((each) => blockLines(each, noStyle))
  const { startedAt, endedAt, reason } = turn
  const ended = endedAt === null ? 'not ended' : `to ${formatTime(endedAt, now)}`
  const time = `${formatTime(startedAt, now)} ${ended}${reason === null ? '' : ` (${words(reason)})`}`
  return joinLines(
    `${reader.style.bold(`Turn ${turn.label}`)} of ${session}, after turn ${turn.parent}: ${[turn.agent, time, ...usageWords(turn)].join(', ')}`,
    'Prompt:',
    block(turn.prompt, reader),
    said.length > 0 && ['What was said and done:', block(said.join('\n'), reader)],
    ...loopLines(detail.loops, now),
    ...(detail.changes === null
      ? ['What it did to the files is not known: there is no snapshot from before or after it.']
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
          `${reader.style.bold(`${session} turn ${turn}`)} ${agent}, ${formatMinute(at, now)}: ${oneLine(prompt, promptLimit)}`,
          block(oneLine(excerpt, excerptLimit), reader),
        ]),
        ...moreLines(found.length, limit),
      ].join('\n')
