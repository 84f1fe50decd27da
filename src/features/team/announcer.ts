import { isAlive, type Agent } from '../../contract/agent.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { memberOf, type NumberedPost, splitRoomKey } from '../../contract/team.ts'
import type { Bus } from './bus/bus.ts'
import { typeOf } from './bus/types.ts'
import type { Delivered, MentionDelivery } from './mention-delivery.ts'
import type { Notices } from './notices.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'

interface AnnouncerParts {
  mentions: MentionDelivery
  bus: Bus
  notices: Notices
  /** Agents of the project that run and watch this room. */
  watchers(project: string, room: string): Agent[]
  /** Whether what was posted may be shown to this agent. */
  mayHear(agent: string, channel: string): boolean
  /** Agents that would get an event of this type. */
  listeners(project: string, type: string, isAmbient: boolean, publisher: string | null): AgentRef[]
  onTrouble(cause: unknown): void
}

interface News {
  project: string
  type: string
  payload: object
  from: Actor
}

/** Lets a team know what happened: a message was posted, an agent came or went. */
export class Announcer implements AgentWatcher {
  readonly #parts: AnnouncerParts
  readonly #running = new Map<string, Promise<Delivered[]>>()

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  onPosted(post: NumberedPost, seq: number): void {
    const running = this.#announce(post, seq)
    this.#running.set(post.id, running)
    void running.catch((cause: unknown) => this.#parts.onTrouble(cause)).finally(() => this.#running.delete(post.id))
  }

  /** The agents that a new post has reached. */
  delivered(post: string): Promise<Delivered[]> {
    return this.#running.get(post) ?? Promise.resolve([])
  }

  onChange({ id, handle, project }: Agent, before: Agent | null, record: AnyNewRecord): void {
    const type = comesOrGoes(record, before)
    if (type !== null) this.publish({ project, type, payload: { agent: handle }, from: { kind: 'agent', id, handle } })
    if (record.type === 'agent.launched') this.#parts.notices.consider(id)
  }

  /** Another conversation knows nothing of what is unread. */
  onNewContext({ id }: Agent): void {
    this.#parts.notices.consider(id, true)
  }

  async #announce(post: NumberedPost, seq: number): Promise<Delivered[]> {
    const { mentions, notices } = this.#parts
    const delivered = await mentions.deliver(post)
    const reached = new Set(delivered.filter(({ directive }) => directive !== null).map(({ agent }) => agent.id))
    const { project, name: room } = splitRoomKey(post.room)
    const { author } = post
    const mayHear = (id: string): boolean => author.kind !== 'channel' || this.#parts.mayHear(id, author.name)
    const others = this.#parts
      .watchers(project, room)
      .filter(({ id }) => id !== memberOf(author) && !reached.has(id) && mayHear(id))
    notices.onPosted(post, seq, others)
    const payload = { room, n: post.n, post: post.id }
    this.publish({ project, type: 'chat-message', payload, from: post.author })
    const handles = post.mentions.map(({ agent }) => agent.handle)
    if (handles.length > 0)
      this.publish({ project, type: 'chat-mention', payload: { ...payload, handles }, from: post.author })
    return delivered
  }

  /** Rein publishes its own events only where an agent watches them. */
  publish({ project, type, payload, from }: News): void {
    if (this.#parts.listeners(project, type, typeOf(type).isAmbient, memberOf(from)).length === 0) return
    const event = { project, type, payload: JSON.stringify(payload), to: null, once: false, from }
    void this.#parts.bus.publish(event).catch((cause: unknown) => this.#parts.onTrouble(cause))
  }
}

const comesOrGoes = (record: AnyNewRecord, before: Agent | null): string | null => {
  if (record.type === 'agent.launched') return 'agent-up'
  if (record.type !== 'agent.state' || record.body.state === before?.state) return null
  if (record.body.state === 'crashed') return 'agent-crashed'
  return record.body.state === 'stopped' && before !== null && isAlive(before.state) ? 'agent-down' : null
}
