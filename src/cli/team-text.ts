import type { ControlView, DecidedView, DecisionsView, WatchesView } from '../contract/team-api-types.ts'
import { counted, formatTable, formatTime, printable, shorten } from './format.ts'
import type { Style } from './output.ts'
import { saidText } from './room-text.ts'

const lineLimit = 80

export const watchesText = ({ handle, project, subjects, except, intervalS, rooms }: WatchesView): string => {
  const but = except.length === 0 ? '' : `, but not ${except.join(' ')}`
  return [
    `${handle} (${printable(project)}) watches ${subjects.join(' ') || 'nothing'}${but}.`,
    `Rooms that this means now: ${rooms.join(', ') || 'none'}.`,
    ...(intervalS === null ? [] : [intervalText(intervalS)]),
  ].join('\n')
}

const intervalText = (seconds: number): string =>
  seconds === 0 ? 'It is never asked to look around.' : `It is asked to look around after ${seconds} s of idleness.`

export const controlTable = (lines: ControlView[], now: number): string =>
  lines.length === 0
    ? 'Nothing was said on this control topic.'
    : formatTable(
        ['WHEN', 'BY', 'LINE', 'RESULT'],
        lines.map(({ at, by, line, error }) => [
          formatTime(at, now),
          shorten(by, lineLimit),
          shorten(line, lineLimit),
          error === null ? 'done' : shorten(error, lineLimit),
        ]),
      )

export const decidedText = ({ n, checkpoint }: DecidedView): string =>
  checkpoint === null
    ? `Decision #${n} is logged.`
    : `Decision #${n} is logged, and brought about a checkpoint: rein bus read ${checkpoint}`

export const decisionsText = ({ decisions, total, every }: DecisionsView, now: number, style: Style): string => {
  if (total === 0) return 'No decisions. Log one: rein decision TEXT'
  const next = every === 0 ? '' : `; the next checkpoint is at #${(Math.floor(total / every) + 1) * every}`
  return [
    ...decisions.map(({ by, ...decision }) => saidText({ ...decision, from: by }, now, style)),
    `(${decisions.length} of ${counted(total, 'decision')}${next}.)`,
  ].join('\n')
}
