import type { LiveEvent } from '../../contract/live.ts'
import type { Progress } from '../../contract/routes/route.ts'
import type { CollectedView, ForkedView, MovedView } from '../../contract/routes/sessions.ts'
import { changesLines, exactLines, keptLines, leftOutLines } from './changes-text.ts'
import { collectLines, formatBytes, formatTable, joinLines } from '../format.ts'
import type { Style } from '../output.ts'
import { oneLine, shownPath } from '../safe-text.ts'

const nameLimit = 60
const commandLimit = 2000

interface WaysBack {
  undo: string
  redo: string
}

export const movedText = (
  moved: MovedView,
  style: Style,
  ways: WaysBack = {
    undo: `rein session undo ${moved.agent}`,
    redo: `rein session redo ${moved.agent}`,
  },
): string =>
  joinLines(
    style.bold(wentText(moved)),
    moved.id !== null &&
      collectLines(
        moved.part !== 'code' &&
          (moved.conversation === null
            ? 'It starts a new conversation.'
            : `Its conversation is ${oneLine(moved.conversation, nameLimit)}.`),
        moved.isRunning ? 'It is running.' : 'It is not running.',
        commandLines(moved.command),
      ),
    moved.part !== 'chat' && changesLines(moved.changes, style),
    ...exactLines(moved.isExact),
    ...keptLines(moved.kept),
    ...leftOutLines(moved),
    moved.id !== null && (moved.kind === 'undo' ? `Redo: ${ways.redo}` : `Undo: ${ways.undo}`),
  )

type Went = Extract<LiveEvent, { kind: 'moved' }>['move']

export const wentText = ({ id, kind, agent, from, to, part }: Went): string => {
  if (kind === 'compact')
    return `${agent} goes on after turn ${to} with a summary of what was before, in a new conversation.`
  const [goes, are, end] = id === null ? ['would go', 'would be', ' Nothing was changed.'] : ['went', 'are now', '']
  if (part === 'code') {
    // Undone files are those from before the move, which need not be those of a turn.
    const which = kind === 'rewind' ? `those of turn ${to}` : 'what they were before'
    return `The files of ${agent} ${are} ${which}; its conversation stays as it is.${end}`
  }
  if (from === to && part === 'chat')
    return `${agent} ${id === null ? 'would stay' : 'stays'} at turn ${to}; the files stay as they are.${end}`
  const way = `${agent} ${goes} from turn ${from} ${kind === 'rewind' ? '' : 'back '}to turn ${to}`
  const what = part === 'both' ? 'its files and its conversation' : 'its conversation; the files stay as they are'
  return `${way}, with ${what}.${end}`
}

const commandLines = (command: string | null): string[] =>
  command === null ? [] : [`To go on: ${oneLine(command, commandLimit)}`]

export const forkedText = ({ session, agent, turn, conversation, cwd, command }: ForkedView): string =>
  [
    agent === null
      ? `A conversation goes on after turn ${turn}, but no agent is in it.`
      : `${agent} goes on after turn ${turn}.`,
    `  session ${session}${conversation === null ? '' : `, conversation ${oneLine(conversation, nameLimit)}`}`,
    `  in ${shownPath(cwd)}`,
    ...commandLines(command),
  ].join('\n')

export const collectedText = ({ trees }: CollectedView, columns?: number): string =>
  trees.length === 0
    ? 'There are no snapshots.'
    : [
        formatTable(
          ['SNAPSHOTS', 'DROPPED', 'BEFORE', 'NOW', 'WORK TREE'],
          trees.map(({ root, snapshots, dropped, bytesBefore, bytes }) => [
            String(snapshots),
            String(dropped),
            formatBytes(bytesBefore),
            formatBytes(bytes),
            shownPath(root),
          ]),
          { columns },
        ),
        `Freed: ${formatBytes(trees.reduce((sum, { bytesBefore, bytes }) => sum + Math.max(0, bytesBefore - bytes), 0))}.`,
      ].join('\n')

/** How far something is, in a line that fits everywhere. */
export const progressText = ({ what, done, total }: Progress): string => {
  const amount = total === 0 ? (done === 0 ? ' …' : `: ${done}`) : `: ${done} of ${total}`
  return `${oneLine(what, nameLimit)}${amount}`
}
