import type { Agent } from '../../contract/agent.ts'
import type { NoticeOrigin } from '../../contract/directive.ts'
import { type Actor, type AgentRef } from '../../contract/identity.ts'
import {
  type BusEvent,
  type EventPriority,
  eventPriorities,
  type NumberedPost,
  splitRoomKey,
} from '../../contract/team.ts'
import type { NewDirective } from '../inbox/inbox.ts'
import { isHeldAtStop, type Item } from '../inbox/receipt.ts'

/** What waits for an agent in the rooms that it watches, and on the bus. */
export interface Unread {
  rooms: { name: string; unread: number; mentions: number }[]
  events: Record<EventPriority, number>
}

export interface NoticePorts {
  agent(id: string): Agent | null
  unread(agent: Agent): Unread
  /** The newest record that is unread by it. */
  newest(agent: Agent): number
  /** The newest record that it was told of. */
  toldUpTo(agent: string): number
  /** Its notice that is not yet seen. */
  open(agent: string): Item | undefined
  accept(directive: NewDirective): Promise<unknown>
  withdraw(item: Item): Promise<unknown>
  onTrouble(cause: unknown): void
}

/** What is unread since when, by whom, and where: `room:NAME` or `bus:PRIORITY`. */
export interface News {
  seq: number
  by: NoticeOrigin['by']
  isPressing: boolean
  subjects: readonly string[]
}

/** Tells agents that something is unread: one notice at a time for each, with counts and never with text. */
export class Notices {
  readonly #ports: NoticePorts
  /** What the notice that is being made tells of, by agent. */
  readonly #coming = new Map<string, News>()
  /** What an open notice, not shown yet, tells of as well. */
  readonly #covered = new Map<string, number>()

  constructor(ports: NoticePorts) {
    this.#ports = ports
  }

  /** What was said to somebody else, asked of Rein or said by it is worth nobody's turn: it is told when the agent next runs. */
  onPosted(post: NumberedPost, seq: number, watchers: readonly AgentRef[]): void {
    const named = new Set(post.mentions.filter(({ kind }) => kind !== 'query').map(({ agent }) => agent.id))
    const subjects = [`room:${splitRoomKey(post.room).name}`]
    for (const { id } of watchers) {
      const by = named.has(id) || post.mentions.length === 0 ? byOf(post.author) : 'rein'
      this.tell(id, { seq, by, isPressing: false, subjects })
    }
  }

  /** Agents that call each other critical would never come to rest: only others do not wait. Who comes and goes is worth nobody's turn. */
  onPublished({ type, priority, from }: BusEvent, members: readonly string[], seq: number): void {
    const isPressing = priority === 'critical' && from.kind !== 'agent'
    const by = type.startsWith('agent-') ? 'rein' : byOf(from)
    for (const id of members) this.tell(id, { seq, by, isPressing, subjects: [`bus:${priority}`] })
  }

  /** Nobody has acknowledged it in time. */
  onOverdue({ priority }: BusEvent, members: readonly string[], seq: number): void {
    for (const id of members) this.tell(id, { seq, by: 'rein', isPressing: true, subjects: [`bus:${priority}`] })
  }

  /** It runs again, or its notice was seen: is there anything that it was not told of? A new conversation was told of nothing. */
  consider(id: string, isNew = false): void {
    const agent = this.#ports.agent(id)
    if (agent === null || this.#ports.open(id) !== undefined) return
    const known = isNew ? 0 : Math.max(this.#ports.toldUpTo(id), this.#covered.get(id) ?? 0)
    const seq = this.#ports.newest(agent)
    if (seq > known) this.tell(id, { seq, by: 'agent', isPressing: false, subjects: [] })
  }

  /** It has read, or acknowledged, by itself: what nobody has shown it yet need not be shown. */
  onRead(id: string): void {
    const agent = this.#ports.agent(id)
    const item = this.#ports.open(id)
    if (agent === null || item === undefined || !isUnshown(item)) return
    if (noticeText(this.#ports.unread(agent)) === null) void this.#ports.withdraw(item).catch(this.#trouble)
  }

  tell(id: string, news: News): void {
    const coming = this.#coming.get(id)
    if (coming !== undefined) return void this.#coming.set(id, both(coming, news))
    const agent = this.#ports.agent(id)
    if (agent === null) return
    const item = this.#ports.open(id)
    if (item === undefined) return void this.#make(agent, news, this.#accept(agent, news))
    if (!isUnshown(item)) return
    if (isTold(item, news)) this.#covered.set(id, Math.max(news.seq, this.#covered.get(id) ?? 0))
    else void this.#make(agent, news, this.#replace(agent, item, news))
  }

  /** What comes meanwhile is told by this one, or makes it more pressing. */
  async #make({ id }: Agent, news: News, making: Promise<unknown>): Promise<void> {
    this.#coming.set(id, news)
    const isMade = await making.then(() => true, this.#trouble)
    const now = this.#coming.get(id) ?? news
    this.#coming.delete(id)
    if (isMade && now !== news) this.tell(id, now)
  }

  /** If it was seen meanwhile there is only another one. */
  #replace(agent: Agent, item: Item, news: News): Promise<unknown> {
    const withdrawn = this.#ports.withdraw(item).catch(this.#trouble)
    return withdrawn.then(() => this.#accept(agent, news))
  }

  async #accept(agent: Agent, { seq, by, isPressing: presses }: News): Promise<void> {
    const unread = this.#ports.unread(agent)
    const text = noticeText(unread)
    if (text === null) return
    const { id, project, handle } = agent
    await this.#ports.accept({
      agent: { id, project, handle },
      from: 'rein',
      sender: { kind: 'daemon' },
      type: 'notice',
      priority: presses ? 'high' : 'normal',
      text,
      expiresInMs: null,
      origin: { upTo: seq, by, isPressing: presses, about: subjectsOf(unread) },
    })
  }

  readonly #trouble = (cause: unknown): false => {
    this.#ports.onTrouble(cause)
    return false
  }
}

const both = (one: News, other: News): News => ({
  ...(weight(other) > weight(one) ? other : one),
  seq: Math.max(one.seq, other.seq),
  subjects: [...new Set([...one.subjects, ...other.subjects])],
})

const subjectsOf = ({ rooms, events }: Unread): string[] => [
  ...rooms.filter(({ unread }) => unread > 0).map(({ name }) => `room:${name}`),
  ...eventPriorities.filter((priority) => events[priority] > 0).map((priority) => `bus:${priority}`),
]

/** Whether a notice that waits says all that there is to say of this, and no later than it should. */
const isTold = (item: Item, news: News): boolean => {
  const { origin } = item.directive
  if (isHeldAtStop(item) || origin === undefined || !('upTo' in origin)) return false
  return weight(news) <= weight(origin) && news.subjects.every((subject) => origin.about.includes(subject))
}

const byOf = (actor: Actor): NoticeOrigin['by'] =>
  (({ user: 'person', agent: 'agent', channel: 'channel', daemon: 'rein' }) as const)[actor.kind]

const isUnshown = ({ state }: Item): boolean => state === 'queued' || state === 'held'

/** Whether it waits for nothing (2), for the agent's next rest (1), or for its next turn (0). */
const weight = ({ by, isPressing }: Pick<News, 'by' | 'isPressing'>): number => (isPressing ? 2 : by === 'rein' ? 0 : 1)

export const isNotice = ({ directive: { origin } }: Item): boolean => origin !== undefined && 'upTo' in origin

/** Names of rooms and numbers: what others wrote never gets in here. Null if nothing is unread. */
export const noticeText = ({ rooms, events }: Unread): string | null => {
  const unread = rooms.filter((room) => room.unread > 0)
  const open = eventPriorities.filter((priority) => events[priority] > 0)
  if (unread.length === 0 && open.length === 0) return null
  return [...roomLines(unread), ...eventLines(open.map((priority) => `${events[priority]} ${priority}`))].join('\n')
}

/** More than these are only counted. */
const listedRooms = 10

const roomLines = (rooms: Unread['rooms']): string[] => {
  if (rooms.length === 0) return []
  const listed = rooms.slice(0, listedRooms).map(({ name, unread, mentions }) => {
    const naming = mentions === 0 ? '' : `, ${mentions} of them naming you`
    return `${name} (${unread}${naming})`
  })
  const more = rooms.length > listedRooms ? [`and ${rooms.length - listedRooms} more rooms`] : []
  return [
    `Unread messages in rooms of your team: ${[...listed, ...more].join(', ')}.`,
    'Read them with the tool chat_read, or: rein chat read ROOM --unread',
  ]
}

const eventLines = (counts: readonly string[]): string[] =>
  counts.length === 0
    ? []
    : [
        `Events on the bus that wait for you: ${counts.join(', ')}.`,
        'Read them with the tool bus_read, or: rein bus read. Acknowledge each when it is dealt with: bus_ack, or rein bus ack ID',
      ]
