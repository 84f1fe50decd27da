import type { Directive } from '../../contract/directive.ts'
import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { Story, StoryMoment } from '../../contract/routes/story.ts'
import { type BusEvent, splitRoomKey } from '../../contract/team.ts'
import { typeOf } from '../team/bus/types.ts'
import { nameActor } from '../../contract/person.ts'
import { brief, type Moments, outcomeOf } from './story-moments.ts'
import type { StoryScope } from './story-scope.ts'

/** So many directives and events are waited for; of more, the oldest keep what is known of them. */
const mostOpen = 2000
const mostBlockers = 50

interface OpenEvent {
  event: Pick<BusEvent, 'id' | 'type' | 'from' | 'at' | 'to'>
  moment: StoryMoment
  text: string
}

/** Directives, posts and messages, each with its outcome. */
export class StoryTalk {
  readonly #scope: StoryScope
  readonly #moments: Moments
  readonly #directives = new Map<string, StoryMoment>()
  readonly #texts = new Map<string, string>()
  readonly #events = new Map<string, OpenEvent>()

  constructor(scope: StoryScope, moments: Moments) {
    this.#scope = scope
    this.#moments = moments
  }

  told = (directive: string): string | null => this.#texts.get(directive) ?? null

  blockers(): Story['blockers'] {
    const open = [...this.#events.values()].filter(({ event }) => event.type === 'blocker')
    return open
      .slice(0, mostBlockers)
      .map(({ event: { id, from, at }, text }) => ({ id, from: nameActor(from), at, text }))
  }

  hear(record: AnyRecord): void {
    switch (record.type) {
      case 'directive.accepted':
        return this.#directive(record, record.body.directive)
      case 'chat.posted':
        return this.#post(record)
      case 'event.published':
        return this.#event(record)
      case 'event.acked':
        return this.#eventAcked(record)
      case 'event.escalated': {
        const moment = this.#events.get(record.body.event)?.moment
        const text = record.body.level > 1 ? 'overdue: a person was told' : 'overdue: told again'
        if (moment !== undefined) moment.outcome = outcomeOf({ at: record.at, text, tone: 'warn' })
        return
      }
      case 'event.pruned':
        for (const id of record.body.events) this.#events.delete(id)
        return
      case 'decision.logged':
        return this.#decision(record)
      default:
        if (record.topic === 'directives') this.#receipt(record)
    }
  }

  /** A mention is told as its post; a notice only repeats what is told anyway. */
  #directive(record: AnyRecord, { id, agent, sender, text, priority, origin }: Directive): void {
    if (!this.#scope.has(agent.id)) return
    remember(this.#texts, id, brief(text))
    if (origin !== undefined && !('channel' in origin)) return
    const urgency = priority === 'normal' ? '' : ` (${priority})`
    const given = { agent: agent.handle, text: `${nameActor(sender)} told it${urgency}: ${text}`, evidence: [id] }
    remember(this.#directives, id, this.#moments.add(record, 'directive', given))
  }

  #receipt(record: AnyRecord): void {
    const moment = this.#directives.get(record.cause ?? '')
    if (moment === undefined) return
    const outcome = receiptOf(record)
    if (outcome === null) return
    moment.outcome = outcomeOf({ at: record.at, text: brief(outcome.text), tone: outcome.tone })
    if (outcome.isLast) this.#directives.delete(record.cause ?? '')
  }

  #post(record: LogRecord<'chat.posted'>): void {
    const { id, room, author, text, mentions, kind } = record.body.post
    // Rein says there what its own records tell.
    if (author.kind === 'daemon') return
    const isHeard = this.#scope.isBy(author) || mentions.some(({ agent }) => this.#scope.has(agent.id))
    const isHere = this.#scope.about.room === null ? isHeard : room === this.#scope.about.room
    if (!isHere || kind !== 'message') return
    const agent = author.kind === 'agent' ? author.handle : null
    const said = agent === null ? `${nameActor(author)}: ${text}` : text
    const where = this.#scope.about.room === null ? `in ${splitRoomKey(room).name}: ` : ''
    this.#moments.add(record, 'post', { agent, text: `${where}${said}`, evidence: [id] })
  }

  #event(record: LogRecord<'event.published'>): void {
    const { event } = record.body
    const { id, type, from, to, at, payload } = event
    // Rein publishes these about what a record of another topic tells.
    if (typeOf(type).isAmbient || type === 'agent-crashed') return
    if (!this.#scope.isBy(from) && !this.#scope.has(to?.id ?? null)) return
    const agent = from.kind === 'agent' ? from.handle : null
    const whom = to === null ? '' : ` to ${to.handle}`
    const by = agent === null ? `${nameActor(from)}: ` : ''
    const tone: StoryMoment['tone'] = type === 'blocker' || type.endsWith('-lost') ? 'warn' : 'plain'
    const given = { agent, text: `${by}${type}${whom}`, why: payload === '' ? null : payload, tone, evidence: [id] }
    const moment = this.#moments.add(record, 'event', given)
    remember(this.#events, id, { event: { id, type, from, at, to }, moment, text: moment.why ?? moment.text })
  }

  /** An event for one recipient is done when that one acknowledges it. */
  #eventAcked({ at, actor, body: { event: id, member } }: LogRecord<'event.acked'>): void {
    const open = this.#events.get(id)
    if (open === undefined || (open.event.to !== null && open.event.to.id !== member)) return
    const word = open.event.type === 'blocker' ? 'solved' : 'acknowledged'
    open.moment.outcome = outcomeOf({ at, text: word, by: nameActor(actor), tone: 'good' })
    this.#events.delete(id)
  }

  #decision(record: LogRecord<'decision.logged'>): void {
    const { id, project, text, by } = record.body.decision
    const isPerson = by.kind === 'user' && this.#scope.about.task !== null
    const isHere = project === this.#scope.about.subject.project
    if (!this.#scope.isBy(by) && !(isPerson && isHere)) return
    const agent = by.kind === 'agent' ? by.handle : null
    const said = agent === null ? `${nameActor(by)}: ${text}` : text
    this.#moments.add(record, 'decision', { agent, text: said, evidence: [id] })
  }
}

interface Receipt extends Pick<NonNullable<StoryMoment['outcome']>, 'text' | 'tone'> {
  isLast: boolean
}

const receiptOf = (record: AnyRecord): Receipt | null => {
  switch (record.type) {
    case 'directive.seen':
      return { text: 'seen', tone: 'good', isLast: false }
    case 'directive.acked': {
      const { note } = record.body
      return { text: note === undefined ? 'acknowledged' : `acknowledged: ${note}`, tone: 'good', isLast: true }
    }
    case 'directive.held':
      return { text: `held: ${record.body.reason}`, tone: 'warn', isLast: false }
    case 'directive.failed':
      return { text: `failed: ${record.body.reason}`, tone: 'bad', isLast: true }
    case 'directive.expired':
      return { text: 'expired', tone: 'bad', isLast: true }
    case 'directive.cancelled':
      return { text: 'cancelled', tone: 'warn', isLast: true }
    default:
      return null
  }
}

export const remember = <T>(open: Map<string, T>, id: string, value: T): void => {
  open.set(id, value)
  if (open.size <= mostOpen) return
  const [oldest] = open.keys()
  if (oldest !== undefined) open.delete(oldest)
}
