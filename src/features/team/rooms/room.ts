import { ReinError } from '../../../contract/errors.ts'
import type { Actor, AgentRef } from '../../../contract/identity.ts'
import { type Mention, memberOf, type NumberedPost, type Post, type Room } from '../../../contract/team.ts'
import type { NamedMention } from './mentions.ts'

/** A room as it is now. What lies before `first` is archived; nothing is there yet if `last` is 0. */
export interface RoomState extends Room {
  key: string
  first: number
  last: number
  lastAt: number | null
  isPaused: boolean
  pausedUntil: number | null
}

export const isPausedAt = ({ isPaused, pausedUntil }: RoomState, now: number): boolean =>
  isPaused && (pausedUntil === null || now < pausedUntil)

/** How far a member has come in a room: all up to the cursor, and what it wrote itself after that. */
export interface MemberState {
  member: string
  cursor: number
  unread: number
}

export interface NewPost {
  project: string
  name: string
  author: Actor
  text: string
  /** The same id again is the same post. */
  id?: string | undefined
  kind?: Post['kind'] | undefined
  /** Instead of those that the text names. */
  mentions?: Mention[] | undefined
}

/** What became of a post; `unknown` are names after an `@` that nobody has. */
export interface Posted {
  post: NumberedPost
  seq: number
  unknown: string[]
}

/** Which posts: those with a number between these, posted since then, the newest so many, that hold this text. */
export interface PageQuery {
  after?: number | undefined
  before?: number | undefined
  since?: number | undefined
  last?: number | undefined
  search?: string | undefined
  limit: number
}

/** Oldest first; `left` more match: newer ones if a beginning was given (after, since, last), else older ones. */
export interface Page {
  posts: NumberedPost[]
  left: number
}

/** What a member has not read, oldest first. All of it is read once the cursor is at `upTo`. */
export interface UnreadPage extends Page {
  archived: number
  upTo: number
}

/** Posts after `after` up to and with `upTo`. */
export interface Range {
  after: number
  upTo: number
}

/** So much of a room is read before others get a turn. */
export const isTurnOver = (posts: number, chars: number): boolean => posts >= 200 || chars >= 1024 * 1024

/** Whom rows name as the author: a member, or what kind of stranger it was. */
export const authorKey = (author: Actor): string => memberOf(author) ?? author.kind

/** A reader who wants what follows a number is told if there is no such place; any other gets what there is. */
export const rangeOf = (
  room: Pick<RoomState, 'name' | 'first' | 'last'>,
  { after, before, last }: PageQuery,
): Range => {
  if (after !== undefined) checkPlace(room, after)
  const upTo = Math.min(room.last, (before ?? Number.POSITIVE_INFINITY) - 1)
  const start = Math.max(after ?? 0, room.first - 1)
  return { upTo, after: Math.max(start, last === undefined ? 0 : upTo - last) }
}

const checkPlace = ({ name, first, last }: Pick<RoomState, 'name' | 'first' | 'last'>, after: number): void => {
  if (after < first - 1)
    throw new ReinError(
      'cursor_expired',
      `The messages of ${name} before ${first} are archived; ${after} is gone.`,
      `Read on from ${first - 1}.`,
    )
  if (after > last) throw aheadOf(name, last, after)
}

export const aheadOf = (name: string, last: number, wanted: number): ReinError =>
  new ReinError('cursor_ahead', `${name} ends at ${last}; there is no ${wanted} yet.`, `Read on from ${last}.`)

export const notIn = (room: string, member: string): ReinError =>
  new ReinError('refused', `${member} is no member of ${room}.`, 'A room has the agents of its project, and you.')

/** So many names that nobody has are told. */
const toldNames = 20

/** An agent of the project, and whether it runs: `@all` means those that do. */
export interface Namable extends AgentRef {
  isPresent: boolean
}

/** Those of the project whom a text names, its author never; the most pressing way counts, asking about one by itself. */
export const resolveMentions = (
  named: readonly NamedMention[],
  agents: readonly Namable[],
  author: Actor,
): { mentions: Mention[]; unknown: string[] } => {
  const found = new Map<string, Mention>()
  const unknown: string[] = []
  const present = agents.filter(({ isPresent }) => isPresent).map(refOf)
  const byHandle = new Map(agents.map((agent) => [agent.handle, refOf(agent)]))
  for (const { name, kind } of named) {
    const meant = name === 'all' ? present : whoIs(byHandle, name)
    if (meant.length === 0 && name !== 'all') unknown.push(name)
    for (const agent of meant) if (agent.id !== memberOf(author)) strengthen(found, { agent, kind })
  }
  return { mentions: [...found.values()], unknown: [...new Set(unknown)].slice(0, toldNames) }
}

const refOf = ({ id, project, handle }: AgentRef): AgentRef => ({ id, project, handle })

/** What ends a word in some markups (`_@worker_`) can also end a handle. */
const whoIs = (byHandle: ReadonlyMap<string, AgentRef>, name: string): AgentRef[] => {
  const agent = byHandle.get(name) ?? byHandle.get(name.replace(/[-_]+$/, ''))
  return agent === undefined ? [] : [agent]
}

const strengthen = (found: Map<string, Mention>, mention: Mention): void => {
  const key = `${mention.agent.id} ${mention.kind === 'query' ? 'asked' : 'told'}`
  const known = found.get(key)
  if (known === undefined || mention.kind === 'urgent') found.set(key, mention)
}
