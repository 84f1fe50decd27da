import { createHash } from 'node:crypto'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type { Mention, NumberedPost } from '../../contract/team.ts'
import { authorName } from '../inbox/fence.ts'
import type { Inbox, NewDirective } from '../inbox/inbox.ts'
import type { Item } from '../inbox/receipt.ts'

/** What became of a mention: an item in an inbox, or nothing because too many wait there already. */
export interface Delivered {
  agent: AgentRef
  kind: Mention['kind']
  directive: string | null
  isDamped: boolean
}

/** Of what agents write to one agent, and of what comes from outside, so much waits at once: the rest is unread like any other message. */
const enough = 5

export interface MentionPorts {
  inbox: Pick<Inbox, 'accept' | 'openItems'>
  onTrouble(cause: unknown): void
}

/** Puts messages into the inboxes of those whom they name; what is there already is not put there again. */
export class MentionDelivery {
  readonly #ports: MentionPorts
  /** What is on its way to an inbox, by agent and kind of author: it counts there already. */
  readonly #coming = new Map<string, number>()

  constructor(ports: MentionPorts) {
    this.#ports = ports
  }

  /** To all whom it names, or only to this one. */
  deliver(post: NumberedPost, only?: string): Promise<Delivered[]> {
    const naming = post.mentions.filter(
      ({ agent, kind }) => kind !== 'query' && (only === undefined || agent.id === only),
    )
    const isDamped = post.author.kind === 'agent' || post.author.kind === 'channel'
    return Promise.all(
      naming.map((mention) => (isDamped ? this.#deliverDamped(post, mention) : this.#deliver(post, mention))),
    )
  }

  async #deliverDamped(post: NumberedPost, mention: Mention): Promise<Delivered> {
    const { agent, kind } = mention
    const key = `${agent.id} ${post.author.kind}`
    if (this.#hasEnough(agent.id, post.author.kind)) return { agent, kind, directive: null, isDamped: true }
    this.#count(key, 1)
    const delivered = await this.#deliver(post, mention)
    this.#count(key, -1)
    return delivered
  }

  #count(key: string, change: number): void {
    const count = (this.#coming.get(key) ?? 0) + change
    if (count === 0) this.#coming.delete(key)
    else this.#coming.set(key, count)
  }

  #hasEnough(agent: string, by: Actor['kind']): boolean {
    const waiting = this.#ports.inbox.openItems(agent).filter((item) => isFrom(by, item)).length
    return waiting + (this.#coming.get(`${agent} ${by}`) ?? 0) >= enough
  }

  /** Where an inbox is full it is unread like any other message; the others hear of it all the same. */
  async #deliver(post: NumberedPost, { agent, kind }: Mention): Promise<Delivered> {
    try {
      const { directive } = await this.#ports.inbox.accept(asDirective(post, agent, kind))
      return { agent, kind, directive: directive.id, isDamped: false }
    } catch (cause) {
      this.#ports.onTrouble(cause)
      return { agent, kind, directive: null, isDamped: false }
    }
  }
}

const isFrom = (by: Actor['kind'], { directive: { origin } }: Item): boolean =>
  origin !== undefined && 'room' in origin && origin.author.kind === by

const asDirective = (post: NumberedPost, agent: AgentRef, kind: Mention['kind']): NewDirective => ({
  id: mentionId(post.id, agent.id),
  agent,
  from: authorName(post.author),
  sender: post.author,
  type: 'mention',
  // Nobody outside stops an agent's tools.
  priority: kind === 'urgent' && post.author.kind !== 'channel' ? 'urgent' : 'normal',
  text: post.text,
  expiresInMs: null,
  origin: { room: post.room, post: post.id, n: post.n, author: post.author, at: post.at },
})

/** The same message to the same agent is the same directive, also after a crash. */
export const mentionId = (post: string, agent: string): string =>
  `dir_${createHash('sha256').update(`${post} ${agent}`).digest('hex').slice(0, 32)}`
