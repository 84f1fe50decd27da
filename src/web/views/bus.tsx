import { useState } from 'preact/hooks'
import { projectName } from '../../contract/handle.ts'
import { nameFor, userMember } from '../../contract/person.ts'
import type { EventsView, EventView } from '../../contract/routes/team.ts'
import { call, may } from '../link/api.ts'
import { Ago } from '../parts/ago.tsx'
import { CutText } from '../parts/cut-text.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { shown } from '../parts/text.ts'
import { attempt, tellSuccess } from '../parts/toast.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { Waiting } from '../parts/waiting.tsx'
import type { ViewProps } from './index.ts'

const everyMs = 5_000
const mostEvents = 100

/** The open events of a project, the most pressing first; or all that are kept. */
export const BusView = ({ params: { project = '' } }: ViewProps) => {
  const [isAll, setAll] = useState(false)
  const ask = (): Promise<EventsView> => call('events', { project, limit: mostEvents, all: isAll })
  const events = useAnswer(`${project} ${isAll}`, ask, { everyMs })
  const status = useAnswer(project, () => call('busStatus', { project }), { everyMs })
  const ack = async (ids: string[]): Promise<void> => {
    const acked = await attempt(() => call('ackEvents', { project, ids }))
    if (acked !== undefined) tellSuccess(`${acked.acked.length} acknowledged, ${acked.open} open.`)
    events.again()
    status.again()
  }
  const list = events.value?.events ?? []
  const own = may('tell') ? list.filter(isForPerson).map(({ id }) => id) : []
  return (
    <Page
      title="Events"
      note={projectName(project)}
      up="/rooms"
      actions={
        own.length > 1 ? (
          <button type="button" class="button" onClick={() => void ack(own)}>
            Acknowledge {own.length} of yours
          </button>
        ) : null
      }
    >
      {status.value === null ? null : (
        <p class="soft small">
          {status.value.recipients.length === 0
            ? 'Nobody has an event to acknowledge.'
            : status.value.recipients
                .map(
                  ({ handle, pending, overdue }) =>
                    `${personName(handle)}: ${pending}${overdue > 0 ? ` (${overdue} overdue)` : ''}`,
                )
                .join(' · ')}
        </p>
      )}
      <label class="settings-choice">
        <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} />
        Show those that are done, too
      </label>
      {events.value === null ? (
        <Waiting error={events.error} />
      ) : list.length === 0 ? (
        <Empty title={isAll ? 'No events.' : 'No open events.'} />
      ) : (
        <ul class="rows">
          {list.map((event) => (
            <EventRow key={event.id} event={event} onAck={own.includes(event.id) ? () => void ack([event.id]) : null} />
          ))}
        </ul>
      )}
      {(events.value?.left ?? 0) > 0 ? <p class="soft">{events.value?.left} more.</p> : null}
    </Page>
  )
}

const priorityTones = { critical: 'bad', high: 'ask', normal: 'calm', low: 'off' } as const

const EventRow = ({ event, onAck }: { event: EventView; onAck: (() => void) | null }) => {
  const { type, priority, payload, from, to, at, due, overdue, pending, leasedBy } = event
  return (
    <li class="rows-row event">
      <div class="grow">
        <div class="row">
          <span class={`badge badge-${priorityTones[priority]}`}>
            <span class="badge-dot" aria-hidden="true" />
            {priority}
          </span>
          <strong>{type}</strong>
          <span class="soft small">
            from {personName(from)}
            {to === null ? '' : ` to ${personName(to)}`} · <Ago at={at} /> ago
          </span>
        </div>
        {payload === '' ? null : <CutText text={payload} />}
        <div class="small soft">
          {pending.length === 0 ? null : <>not acknowledged by {pending.map(personName).join(', ')}</>}
          {leasedBy === null ? null : <> · done by {personName(leasedBy)}</>}
          {overdue ? (
            <strong class="is-overdue"> · overdue</strong>
          ) : due === null ? null : (
            <> · due {new Date(due).toLocaleString()}</>
          )}
        </div>
      </div>
      {onAck === null ? null : (
        <button
          type="button"
          class="button"
          aria-label={`Acknowledge ${type} from ${personName(from)}`}
          onClick={onAck}
        >
          Acknowledge
        </button>
      )}
    </li>
  )
}

const isForPerson = ({ pending }: EventView): boolean => pending.includes(userMember)

const personName = (name: string): string => shown(nameFor({ isAgent: false }, name))
