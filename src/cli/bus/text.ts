import type {
  AckedView,
  BusStatusView,
  ControlView,
  EventsView,
  PrunedView,
  PublishedView,
  WatchesView,
} from '../../contract/routes/team.ts'
import { shortId } from '../../contract/ids.ts'
import { projectName } from '../../contract/handle.ts'
import { nameFor } from '../../contract/person.ts'
import { writeDuration } from '../../base/util/units.ts'
import { quote } from '../../base/util/visible.ts'
import {
  collectLines,
  counted,
  formatAge,
  formatTable,
  formatTime,
  indented,
  joinLines,
  printable,
  shorten,
} from '../format.ts'
import type { Reader } from '../output.ts'

type View = Pick<Reader, 'isAgent' | 'columns'>
const toPerson: View = { isAgent: false }

const header = ['ID', 'PRIORITY', 'TYPE', 'FROM', 'AGE', 'WAITS FOR', 'PAYLOAD']
const excerptLimit = 50
const waitingLimit = 30
const lineLimit = 80
/** How many lines of a control topic are shown. */
export const shownControls = 100

/** Open events in short; listing them takes none of them over. */
export const eventTable = ({ events, left, counts }: EventsView, now: number, reader: View = toPerson): string => {
  if (events.length === 0) return 'No open events.'
  const rows = events.map((event) => [
    shortId(event.id),
    event.priority,
    event.type,
    shorten(nameFor(reader, event.from), waitingLimit),
    formatAge(event.at, now),
    shorten(
      `${event.overdue ? 'overdue: ' : ''}${event.leasedBy ?? event.pending.map((name) => nameFor(reader, name)).join(' ')}` ||
        '-',
      waitingLimit,
    ),
    shorten(event.payload, excerptLimit),
  ])
  return [formatTable(header, rows, reader), ...moreLines(left), `Open: ${countsText(counts)}.`].join('\n')
}

/** Events in full, each under a line that only Rein can have written. */
export const eventsText = ({ events, left }: EventsView, now: number, reader: Reader): string => {
  const { style, isAgent } = reader
  if (events.length === 0) return 'No events.'
  const lines = events.flatMap((event) => {
    const { id, priority, overdue, type, from, at, to, delivery, pending, leasedBy, leasedUntil, payload } = event
    const paint = overdue || priority === 'critical' ? style.red : priority === 'high' ? style.yellow : style.cyan
    const fate = [
      to === null ? '' : `, for ${to}`,
      delivery === 'once' ? ', to be done once' : '',
      leasedBy === null ? '' : `, taken by ${leasedBy}`,
      leasedUntil === null ? '' : ` for ${formatAge(now, leasedUntil)}`,
      pending.length === 0 ? ', done' : overdue ? ', overdue' : '',
    ].join('')
    return collectLines(
      `${style.bold(shortId(id))} ${paint(priority)} ${type} from ${shorten(nameFor(reader, from), waitingLimit)}, ${formatAge(at, now)} ago${fate}`,
      payload !== '' && (isAgent ? quote(payload) : `    ${indented(payload)}`),
    )
  })
  return [...lines, ...moreLines(left)].join('\n')
}

const moreLines = (left: number): string[] => (left === 0 ? [] : [`(${left} more.)`])

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([priority, number]) => `${number} ${priority}`)
    .join(', ') || 'none'

export const publishedText = (
  { id, type, priority, recipients, duplicate }: PublishedView,
  reader: View = toPerson,
): string => {
  if (duplicate) return `The same was published before: ${shortId(id)}`
  const whom =
    recipients.length === 0
      ? 'no agent watches this type'
      : `for ${recipients.map((name) => nameFor(reader, name)).join(', ')}`
  return `${shortId(id)}: ${type}, ${priority}, ${whom}`
}

export const ackedText = ({ acked, open }: AckedView): string =>
  `${acked.length === 0 ? 'There was nothing to acknowledge' : `Acknowledged: ${acked.map(shortId).join(', ')}`}. Open: ${open}.`

export const busStatusText = (status: BusStatusView, now: number, reader: View = toPerson): string => {
  const { project, open, overdue, oldestAt, kept, bytes, recipients } = status
  const oldest = oldestAt === null ? '' : `, the oldest for ${formatAge(oldestAt, now)}`
  const rows = recipients.map((each) => [nameFor(reader, each.handle), String(each.pending), String(each.overdue)])
  return joinLines(
    `${printable(projectName(project))}: open ${countsText(open)}${oldest}; overdue ${overdue}; kept ${keptText({ kept, bytes })}`,
    rows.length > 0 && formatTable(['HANDLE', 'PENDING', 'OVERDUE'], rows, reader),
  )
}

export const prunedText = ({ pruned, kept, bytes }: PrunedView): string =>
  `Forgotten: ${counted(pruned, 'event')}; kept: ${keptText({ kept, bytes })}`

const keptText = ({ kept, bytes }: { kept: number; bytes: number }): string =>
  `${counted(kept, 'event')} (${bytes} bytes).`

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
  const newest = lines.slice(-shownControls)
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
