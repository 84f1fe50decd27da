import { createHash } from 'node:crypto'
import type { AgentRef } from '../contract/identity.ts'
import type { Mention, NumberedPost } from '../contract/team.ts'
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

/** Of what agents write to one agent, so much waits at once: the rest is unread like any other message. */
const enough = 5

export interface MentionPorts {
  inbox: Inbox
  onTrouble(cause: unknown): void
}

/** Puts messages into the inboxes of those whom they name; what is there already is not put there again. */
export class MentionDelivery {
  readonly #ports: MentionPorts
  /** What agents wrote that is on its way to an inbox, by agent: it counts there already. */
  readonly #coming = new Map<string, number>()

  constructor(ports: MentionPorts) {
    this.#ports = ports
  }

  deliver(post: NumberedPost): Promise<Delivered[]> {
    const naming = post.mentions.filter(({ kind }) => kind !== 'query')
    const isByAgent = post.author.kind === 'agent'
    return Promise.all(
      naming.map((mention) => (isByAgent ? this.#deliverDamped(post, mention) : this.#deliver(post, mention))),
    )
  }

  async #deliverDamped(post: NumberedPost, mention: Mention): Promise<Delivered> {
    const { agent, kind } = mention
    const coming = this.#coming.get(agent.id) ?? 0
    if (coming + waitingFor(this.#ports.inbox, agent.id) >= enough)
      return { agent, kind, directive: null, isDamped: true }
    this.#coming.set(agent.id, coming + 1)
    const delivered = await this.#deliver(post, mention)
    this.#coming.set(agent.id, (this.#coming.get(agent.id) ?? 1) - 1)
    return delivered
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

const waitingFor = (inbox: Inbox, agent: string): number => inbox.openItems(agent).filter(isFromAgent).length

const isFromAgent = ({ directive: { origin } }: Item): boolean =>
  origin !== undefined && 'room' in origin && origin.author.kind === 'agent'

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
