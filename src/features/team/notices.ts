import type { Agent } from '../../contract/agent.ts'
import type { NoticeOrigin } from '../../contract/directive.ts'
import { type Actor, type AgentRef, byRein } from '../../contract/identity.ts'
import {
  type BusEvent,
  type EventPriority,
  eventPriorities,
  type NumberedPost,
  splitRoomKey,
} from '../../contract/team.ts'
import type { NewDirective } from '../inbox/inbox.ts'
import { isHeldAtStop, type Item } from '../inbox/receipt.ts'

/** The unread posts and events of an agent, in what it watches. */
export interface Unread {
  rooms: { name: string; unread: number; mentions: number }[]
  events: Record<EventPriority, number>
}

interface NoticePorts {
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

/** Something unread: its record, its author, and where it is: `room:NAME` or `bus:PRIORITY`. */
interface News {
  seq: number
  by: NoticeOrigin['by']
  isPressing: boolean
  subjects: readonly string[]
}

/** Tells agents that something is unread: one notice at a time for each, with counts and without text. */
export class Notices {
  readonly #ports: NoticePorts
  /** The content of the notice in progress, by agent. */
  readonly #coming = new Map<string, News>()
  /** The content of an open notice that was not shown yet. */
  readonly #covered = new Map<string, number>()

  constructor(ports: NoticePorts) {
    this.#ports = ports
  }

  /** A post that is for others, asks Rein or comes from it starts no turn: the agent is told when it next runs. */
  onPosted(post: NumberedPost, seq: number, watchers: readonly AgentRef[]): void {
    const named = new Set(post.mentions.filter(({ kind }) => kind !== 'query').map(({ agent }) => agent.id))
    const subjects = [`room:${splitRoomKey(post.room).name}`]
    for (const { id } of watchers) {
      const by = named.has(id) || post.mentions.length === 0 ? byOf(post.author) : 'rein'
      this.tell(id, { seq, by, isPressing: false, subjects })
    }
  }

  /** Critical events of agents wait, or agents would keep each other busy forever. Events about agents that come and go start no turn. */
  onPublished({ type, priority, from }: BusEvent, members: readonly string[], seq: number): void {
    const isPressing = priority === 'critical' && from.kind !== 'agent'
    const by = type.startsWith('agent-') ? 'rein' : byOf(from)
    for (const id of members) this.tell(id, { seq, by, isPressing, subjects: [`bus:${priority}`] })
  }

  /** The event was not acknowledged in time. */
  onOverdue({ priority }: BusEvent, members: readonly string[], seq: number): void {
    for (const id of members) this.tell(id, { seq, by: 'rein', isPressing: true, subjects: [`bus:${priority}`] })
  }

  /** The agent runs again, or has seen its notice: tells it what it was not told. A new conversation was told nothing. */
  consider(id: string, isNew = false): void {
    const agent = this.#ports.agent(id)
    if (agent === null || this.#ports.open(id) !== undefined) return
    const known = isNew ? 0 : Math.max(this.#ports.toldUpTo(id), this.#covered.get(id) ?? 0)
    const seq = this.#ports.newest(agent)
    if (seq > known) this.tell(id, { seq, by: 'agent', isPressing: false, subjects: [] })
  }

  /** The agent has read or acknowledged by itself: a notice that was not shown yet is withdrawn. */
  onRead(id: string): void {
    const agent = this.#ports.agent(id)
    const item = this.#ports.open(id)
    if (agent === null || item === undefined || !isUnshown(item)) return
    if (noticeText(this.#ports.unread(agent)) === null) void this.#ports.withdraw(item).catch(this.#trouble)
  }

  tell(id: string, news: News): void {
    const coming = this.#coming.get(id)
    if (coming !== undefined) {
      const seq = Math.max(coming.seq, news.seq)
      const subjects = [...new Set([...coming.subjects, ...news.subjects])]
      this.#coming.set(id, { ...(weight(news) > weight(coming) ? news : coming), seq, subjects })
      return
    }
    const agent = this.#ports.agent(id)
    if (agent === null) return
    const item = this.#ports.open(id)
    if (item === undefined) return void this.#make(agent, news, this.#accept(agent, news))
    if (!isUnshown(item)) return
    const { origin } = item.directive
    // The waiting notice says all of this already, and no later than it should.
    const isTold =
      !isHeldAtStop(item) &&
      origin !== undefined &&
      'upTo' in origin &&
      weight(news) <= weight(origin) &&
      news.subjects.every((subject) => origin.about.includes(subject))
    if (isTold) this.#covered.set(id, Math.max(news.seq, this.#covered.get(id) ?? 0))
    else {
      // If the agent has seen it in the meantime, there is just one more.
      const withdrawn = this.#ports.withdraw(item).catch(this.#trouble)
      void this.#make(
        agent,
        news,
        withdrawn.then(() => this.#accept(agent, news)),
      )
    }
  }

  /** News that comes in the meantime is part of this notice, or makes it more pressing. */
  async #make({ id }: Agent, news: News, making: Promise<unknown>): Promise<void> {
    this.#coming.set(id, news)
    const isMade = await making.then(() => true, this.#trouble)
    const now = this.#coming.get(id) ?? news
    this.#coming.delete(id)
    if (isMade && now !== news) this.tell(id, now)
  }

  async #accept(agent: Agent, { seq, by, isPressing: presses }: News): Promise<void> {
    const unread = this.#ports.unread(agent)
    const text = noticeText(unread)
    if (text === null) return
    const { id, project, handle } = agent
    const about = [
      ...unread.rooms.filter((room) => room.unread > 0).map(({ name }) => `room:${name}`),
      ...eventPriorities.filter((priority) => unread.events[priority] > 0).map((priority) => `bus:${priority}`),
    ]
    await this.#ports.accept({
      agent: { id, project, handle },
      from: 'rein',
      sender: byRein,
      type: 'notice',
      priority: presses ? 'high' : 'normal',
      text,
      expiresInMs: null,
      origin: { upTo: seq, by, isPressing: presses, about },
    })
  }

  readonly #trouble = (cause: unknown): false => {
    this.#ports.onTrouble(cause)
    return false
  }
}

const byOf = (actor: Actor): NoticeOrigin['by'] =>
  (({ user: 'person', agent: 'agent', channel: 'channel', daemon: 'rein' }) as const)[actor.kind]

const isUnshown = ({ state }: Item): boolean => state === 'queued' || state === 'held'

/** 2: at once; 1: at the agent's next rest; 0: at its next turn. */
const weight = ({ by, isPressing }: Pick<News, 'by' | 'isPressing'>): number => (isPressing ? 2 : by === 'rein' ? 0 : 1)

export const isNotice = ({ directive: { origin } }: Item): boolean => origin !== undefined && 'upTo' in origin

/** Only names of rooms and counts, never text of others. Null if nothing is unread. */
export const noticeText = ({ rooms, events }: Unread): string | null => {
  const unread = rooms.filter((room) => room.unread > 0)
  const open = eventPriorities.filter((priority) => events[priority] > 0)
  const lines: string[] = []
  if (unread.length > 0) {
    const listed = unread.slice(0, listedRooms).map((room) => {
      const naming = room.mentions === 0 ? '' : `, ${room.mentions} of them naming you`
      return `${room.name} (${room.unread}${naming})`
    })
    if (unread.length > listedRooms) listed.push(`and ${unread.length - listedRooms} more rooms`)
    lines.push(
      `Unread messages in rooms of your team: ${listed.join(', ')}.`,
      'Read them with the tool chat_read, or: rein chat read ROOM --unread',
    )
  }
  if (open.length > 0)
    lines.push(
      `Events on the bus that wait for you: ${open.map((priority) => `${events[priority]} ${priority}`).join(', ')}.`,
      'Read them with the tool bus_read, or: rein bus read. Acknowledge each when it is dealt with: bus_ack, or rein bus ack ID',
    )
  return lines.length === 0 ? null : lines.join('\n')
}

/** More than these are only counted. */
const listedRooms = 10
