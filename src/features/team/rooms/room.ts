import { ReinError } from '../../../contract/errors.ts'
import type { Actor, AgentRef } from '../../../contract/identity.ts'
import { type Mention, memberOf, type NumberedPost, type Post, type Room } from '../../../contract/team.ts'
import type { NamedMention } from './mentions.ts'

/** A room as it is now. Posts before `first` are archived; the room is empty if `last` is 0. */
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

/** A member has read everything up to its cursor, and its own posts after that. */
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
  /** Replaces the names in the text. */
  mentions?: Mention[] | undefined
}

/** The result of a post; `unknown` are names after an `@` without an agent. */
export interface Posted {
  post: NumberedPost
  seq: number
  unknown: string[]
}

/** Selects posts by number, time, count from the end, or text. */
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

/** The unread posts of a member, oldest first. They are read once the cursor is at `upTo`. */
export interface UnreadPage extends Page {
  archived: number
  upTo: number
}

/** Posts after `after` up to and with `upTo`. */
export interface Range {
  after: number
  upTo: number
}

/** So much of a room is read before the event loop gets a turn. */
export const isTurnOver = (posts: number, chars: number): boolean => posts >= 200 || chars >= 1024 * 1024

/** The author in a row: a member, or the kind of a stranger. */
export const authorKey = (author: Actor): string => memberOf(author) ?? author.kind

/** A reader that asks for posts after a number is told if there is no such number; any other gets what is there. */
export const rangeOf = (
  room: Pick<RoomState, 'name' | 'first' | 'last'>,
  { after, before, last }: PageQuery,
): Range => {
  if (after !== undefined && after < room.first - 1)
    throw new ReinError(
      'cursor_expired',
      `The messages of ${room.name} before ${room.first} are archived; ${after} is gone.`,
      `Read on from ${room.first - 1}.`,
    )
  if (after !== undefined && after > room.last) throw aheadOf(room.name, room.last, after)
  const upTo = Math.min(room.last, (before ?? Number.POSITIVE_INFINITY) - 1)
  const start = Math.max(after ?? 0, room.first - 1)
  return { upTo, after: Math.max(start, last === undefined ? 0 : upTo - last) }
}

export const aheadOf = (name: string, last: number, wanted: number): ReinError =>
  new ReinError('cursor_ahead', `${name} ends at ${last}; there is no ${wanted} yet.`, `Read on from ${last}.`)

export const notIn = (room: string, member: string): ReinError =>
  new ReinError('refused', `${member} is no member of ${room}.`, 'A room has the agents of its project, and you.')

/** The most unknown names to report. */
const toldNames = 20

/** An agent of the project, and whether it runs: `@all` means those that do. */
export interface Namable extends AgentRef {
  isPresent: boolean
}

/** The agents of the project that a text names, without its author; the most pressing kind counts, a query by itself. */
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
    // Markup at the end of a word (`_@worker_`) can also be the end of a handle.
    const one = byHandle.get(name) ?? byHandle.get(name.replace(/[-_]+$/, ''))
    if (one === undefined && name !== 'all') unknown.push(name)
    for (const agent of name === 'all' ? present : one === undefined ? [] : [one]) {
      const key = `${agent.id} ${kind === 'query' ? 'asked' : 'told'}`
      if (agent.id !== memberOf(author) && (!found.has(key) || kind === 'urgent')) found.set(key, { agent, kind })
    }
  }
  return { mentions: [...found.values()], unknown: [...new Set(unknown)].slice(0, toldNames) }
}

const refOf = ({ id, project, handle }: AgentRef): AgentRef => ({ id, project, handle })
