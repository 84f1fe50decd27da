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

/** Puts a message into the inboxes of those whom it names; what is there already is not put there again. */
export const deliverMentions = async (inbox: Inbox, post: NumberedPost): Promise<Delivered[]> => {
  const naming = post.mentions.filter(({ kind }) => kind !== 'query')
  return Promise.all(naming.map((mention) => deliver(inbox, post, mention)))
}

const deliver = async (inbox: Inbox, post: NumberedPost, { agent, kind }: Mention): Promise<Delivered> => {
  if (post.author.kind === 'agent' && hasEnough(inbox, agent.id))
    return { agent, kind, directive: null, isDamped: true }
  const { directive } = await inbox.accept(asDirective(post, agent, kind))
  return { agent, kind, directive: directive.id, isDamped: false }
}

const hasEnough = (inbox: Inbox, agent: string): boolean => inbox.openItems(agent).filter(isFromAgent).length >= enough

const isFromAgent = ({ directive: { origin } }: Item): boolean =>
  origin !== undefined && 'room' in origin && origin.author.kind === 'agent'

const asDirective = (post: NumberedPost, agent: AgentRef, kind: Mention['kind']): NewDirective => ({
  id: mentionId(post.id, agent.id),
  agent,
  from: authorName(post.author),
  sender: post.author,
  type: 'mention',
  priority: kind === 'urgent' ? 'urgent' : 'normal',
  text: post.text,
  expiresInMs: null,
  origin: { room: post.room, post: post.id, n: post.n, author: post.author, at: post.at },
})

/** The same message to the same agent is the same directive, also after a crash. */
export const mentionId = (post: string, agent: string): string =>
  `dir_${createHash('sha256').update(`${post} ${agent}`).digest('hex').slice(0, 32)}`
