import type { AgentRef } from '../../contract/identity.ts'
import type { Mention, NumberedPost } from '../../contract/team.ts'
import { deriveId } from '../../base/util/derived-id.ts'
import { authorName } from '../inbox/fence.ts'
import type { Inbox } from '../inbox/inbox.ts'

/** The result of a mention: an item in an inbox, or none because too many wait there already. */
export interface Delivered {
  agent: AgentRef
  kind: Mention['kind']
  directive: string | null
  isDamped: boolean
}

/** The most mentions by agents, and from channels, that wait for one agent; any more are unread like other messages. */
const enough = 5

interface MentionPorts {
  inbox: Pick<Inbox, 'accept' | 'openItems'>
  onTrouble(cause: unknown): void
}

/** Puts messages into the inboxes of the agents that they mention, each once. */
export class MentionDelivery {
  readonly #ports: MentionPorts
  /** Mentions on their way to an inbox, by agent and kind of author: they count already. */
  readonly #coming = new Map<string, number>()

  constructor(ports: MentionPorts) {
    this.#ports = ports
  }

  /** Delivers to all agents that the post mentions, or only to this one. */
  deliver(post: NumberedPost, only?: string): Promise<Delivered[]> {
    const naming = post.mentions.filter(
      ({ agent, kind }) => kind !== 'query' && (only === undefined || agent.id === only),
    )
    const isDamped = post.author.kind === 'agent' || post.author.kind === 'channel'
    return Promise.all(
      naming.map(async (mention) => {
        const { agent, kind } = mention
        if (!isDamped) return this.#deliver(post, mention)
        const by = post.author.kind
        const key = `${agent.id} ${by}`
        const waiting = this.#ports.inbox
          .openItems(agent.id)
          .filter(({ directive: { origin } }) => origin !== undefined && 'room' in origin && origin.author.kind === by)
        if (waiting.length + (this.#coming.get(key) ?? 0) >= enough)
          return { agent, kind, directive: null, isDamped: true }
        this.#count(key, 1)
        const delivered = await this.#deliver(post, mention)
        this.#count(key, -1)
        return delivered
      }),
    )
  }

  #count(key: string, change: number): void {
    const count = (this.#coming.get(key) ?? 0) + change
    if (count === 0) this.#coming.delete(key)
    else this.#coming.set(key, count)
  }

  /** In a full inbox the message is just unread; the other agents still get it. */
  async #deliver(post: NumberedPost, { agent, kind }: Mention): Promise<Delivered> {
    try {
      const { author } = post
      const { directive } = await this.#ports.inbox.accept({
        id: mentionId(post.id, agent.id),
        agent,
        from: authorName(author),
        sender: author,
        type: 'mention',
        // Nothing from outside stops an agent's tools.
        priority: kind === 'urgent' && author.kind !== 'channel' ? 'urgent' : 'normal',
        text: post.text,
        expiresInMs: null,
        origin: { room: post.room, post: post.id, n: post.n, author, at: post.at },
      })
      return { agent, kind, directive: directive.id, isDamped: false }
    } catch (cause) {
      this.#ports.onTrouble(cause)
      return { agent, kind, directive: null, isDamped: false }
    }
  }
}

/** The same message to the same agent is the same directive, also after a crash. */
export const mentionId = (post: string, agent: string): string => deriveId('dir', `${post} ${agent}`)
