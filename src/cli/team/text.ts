import type { ControlView, DecidedView, DecisionsView, WatchesView } from '../../contract/routes/team.ts'
import { projectName } from '../../contract/handle.ts'
import { shortId } from '../../contract/ids.ts'
import { nameFor } from '../../contract/person.ts'
import { counted, formatTable, formatTime, joinLines, printable, shorten } from '../format.ts'
import { writeDuration } from '../../base/util/units.ts'
import type { Reader } from '../output.ts'
import { saidText } from '../chat/text.ts'

type View = Pick<Reader, 'isAgent' | 'columns'>
const toPerson: View = { isAgent: false }

const lineLimit = 80
/** The default of `--last`. */
export const usualLast = 100

export const watchesText = ({ handle, project, subjects, except, intervalS, rooms }: WatchesView): string => {
  const but = except.length === 0 ? '' : `, but not ${except.join(' ')}`
  return joinLines(
    `${handle} (${projectName(printable(project))}) watches ${subjects.join(' ') || 'nothing'}${but}.`,
    `Rooms: ${rooms.join(', ') || 'none'}.`,
    intervalS !== null &&
      (intervalS === 0
        ? 'It is never asked to check its inbox.'
        : `It is asked to check its inbox after ${writeDuration(intervalS * 1000)} of idleness.`),
  )
}

/** The newest lines, oldest first. */
export const controlTable = (lines: ControlView[], now: number, reader: View = toPerson): string => {
  if (lines.length === 0) return 'No control lines yet.'
  const newest = lines.slice(-usualLast)
  const rows = newest.map((line) => [
    formatTime(line.at, now),
    shorten(nameFor(reader, line.by), lineLimit),
    shorten(line.line, lineLimit),
    line.error === null ? 'done' : shorten(line.error, lineLimit),
  ])
  const left = lines.length - newest.length
  return joinLines(
    formatTable(['WHEN', 'BY', 'LINE', 'RESULT'], rows, reader),
    left > 0 && `(${left} older ones: --json shows all.)`,
  )
}

export const decidedText = ({ n, checkpoint }: DecidedView): string =>
  checkpoint === null
    ? `Decision #${n} is logged.`
    : `Decision #${n} is logged, and triggered a checkpoint: rein bus read ${shortId(checkpoint)}`

export const decisionsText = ({ decisions, total, every }: DecisionsView, now: number, reader: Reader): string => {
  if (total === 0) return 'No decisions. Log one: rein decision TEXT'
  const more = decisions.length < usualLast || decisions.length === total ? '' : '; --last N shows more'
  const next = every === 0 ? '' : `; the next checkpoint is at #${(Math.floor(total / every) + 1) * every}`
  return [
    ...decisions.map(({ by, ...decision }) => saidText({ ...decision, from: by }, now, reader)),
    `(${decisions.length} of ${counted(total, 'decision')}${more}${next}.)`,
  ].join('\n')
}
