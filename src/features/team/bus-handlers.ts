import type { z } from 'zod'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import { ReinError } from '../../contract/errors.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type {
  AckedView,
  AckEventInput,
  BusStatusView,
  EventsInput,
  EventsView,
  EventView,
  PrunedView,
  PruneInput,
  PublishedView,
  PublishInput,
} from '../../contract/routes/team.ts'
import { userMember } from '../../contract/person.ts'
import { authorName } from '../inbox/fence.ts'
import { redact } from '../../base/redact/redact.ts'
import { type EventItem, pendingFor } from './bus/event.ts'
import type { TeamParts } from './parts.ts'
import { memberFor } from './room-handlers.ts'

const usualLimit = 100
const mostEvents = 1000

type Given<T extends z.ZodType> = z.infer<T>

export const publish = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof PublishInput>,
): Promise<PublishedView> => {
  const { type, priority, dedup, once } = input
  const project = await parts.finder.project(actor, input)
  const { text: payload } = redact(input.payload)
  const to = recipient(parts, project, input.to)
  const published = await parts.bus.publish({ project, type, payload, priority, dedup, to, once, from: actor })
  const { event, recipients, isDuplicate } = published
  // A decision is one however it is written down: it counts for the next checkpoint.
  if (type === 'decision-logged' && !isDuplicate) await parts.checkpoints.log(project, payload, actor)
  const handles = recipients.map((id) => handleOf(parts, id))
  return { id: event.id, type, priority: event.priority, recipients: handles, duplicate: isDuplicate }
}

/** One agent of this project; null: everybody who watches. */
const recipient = ({ team }: TeamParts, project: string, to: string | undefined): AgentRef | null => {
  if (to === undefined || to === 'all') return null
  const agents = team.agents(project)
  const agent = agents.find(({ handle }) => handle === to || `${project}/${handle}` === to)
  if (agent !== undefined) return { id: agent.id, project, handle: agent.handle }
  const known = agents.map(({ handle }) => handle)
  const hint = hintNearest(to, known, `There are: ${known.join(', ') || 'none'}.`)
  throw new ReinError('unknown_agent', `There is no agent "${to}" in this project.`, hint)
}

export const events = async (parts: TeamParts, actor: Actor, input: Given<typeof EventsInput>): Promise<EventsView> => {
  const { bus } = parts
  const project = await parts.finder.project(actor, input)
  const member = agentOf(actor)
  const wanted = { type: input.type, limit: Math.min(input.limit ?? usualLimit, mostEvents) }
  const open = bus.open(project, member, wanted)
  const id = input.id === undefined ? undefined : bus.resolve(project, input.id)
  const { items, left } = await chosen(parts, project, member, { ...input, id }, wanted, open)
  return { events: items.map((item) => eventView(parts, item)), left, counts: open.counts }
}

type Wanted = Parameters<TeamParts['bus']['open']>[2]

/** The named event, all kept events, leased ones, or open ones. */
const chosen = async (
  { bus }: TeamParts,
  project: string,
  member: string | null,
  { id, all, take }: Given<typeof EventsInput>,
  wanted: Wanted,
  open: ReturnType<TeamParts['bus']['open']>,
): Promise<{ items: EventItem[]; left: number }> => {
  if (all) {
    const kept = bus.kept(project, wanted)
    return { items: kept.events, left: kept.left }
  }
  if (take && member !== null) {
    const taken = await bus.take(project, member, { ...wanted, id })
    if (taken.length > 0 || id === undefined) return { items: taken, left: id === undefined ? open.left : 0 }
  }
  if (id === undefined) return { items: open.events, left: open.left }
  const found = bus.find(id)
  if (found === null || found.event.project !== project)
    throw new ReinError('unknown_event', `There is no event ${id}.`, 'List them: rein bus check')
  return { items: [found], left: 0 }
}

/** A person sees all open events. */
const agentOf = (actor: Actor): string | null => (actor.kind === 'agent' ? actor.id : null)

export const ack = async (parts: TeamParts, actor: Actor, input: Given<typeof AckEventInput>): Promise<AckedView> => {
  const project = await parts.finder.project(actor, input)
  if (!input.all && input.ids.length === 0)
    throw new ReinError('usage', 'Which event? Its id is missing.', 'rein bus check')
  const ids = input.ids.map((id) => parts.bus.resolve(project, id))
  const acked = await parts.bus.ack(project, memberFor(actor), input.all ? 'all' : ids, actor)
  const readers = actor.kind === 'agent' ? [actor] : parts.team.agents(project)
  for (const { id } of readers) parts.notices.onRead(id)
  const { counts } = parts.bus.open(project, agentOf(actor), { limit: 0 })
  return { acked, open: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

export const status = async (parts: TeamParts, actor: Actor, here: Here): Promise<BusStatusView> => {
  const project = await parts.finder.project(actor, here)
  const { open, overdue, oldestAt, events: kept, bytes, recipients } = parts.bus.status(project)
  return {
    project,
    open,
    overdue,
    oldestAt,
    kept,
    bytes,
    recipients: recipients.map(({ member, ...counts }) => ({ handle: handleOf(parts, member), ...counts })),
  }
}

export const prune = async (parts: TeamParts, actor: Actor, input: Given<typeof PruneInput>): Promise<PrunedView> => {
  const { cwd, project, ...request } = input
  return parts.bus.prune(await parts.finder.project(actor, { cwd, project }), request)
}

const handleOf = ({ supervisor }: TeamParts, member: string): string =>
  member === userMember ? userMember : (supervisor.get(member)?.handle ?? member)

const eventView = (parts: TeamParts, item: EventItem): EventView => {
  const { event, leasedBy, leasedUntil, escalated } = item
  const { from, to, ...rest } = event
  const pending = pendingFor(item)
  return {
    ...rest,
    from: authorName(from),
    to: to?.handle ?? null,
    pending: pending.map((id) => handleOf(parts, id)),
    leasedBy: leasedBy === null ? null : handleOf(parts, leasedBy),
    leasedUntil,
    overdue: pending.length > 0 && event.due !== null && event.due <= parts.now(),
    escalated,
  }
}
