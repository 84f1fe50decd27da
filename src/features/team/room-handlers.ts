import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type {
  ArchivedView,
  ArchiveInput,
  CreateRoomInput,
  CursorInput,
  CursorView,
  FollowRoomsInput,
  MemberView,
  PauseRoomInput,
  PostedView,
  PostInput,
  PostsInput,
  PostsView,
  PostView,
  RoomsChange,
  RoomsInput,
  RoomView,
} from '../../contract/routes/team.ts'
import { userMember } from '../../contract/person.ts'
import { memberOf, type NumberedPost, splitRoomKey } from '../../contract/team.ts'
import { authorName } from '../inbox/fence.ts'
import { findItem } from '../inbox/store.ts'
import { redact } from '../../base/redact/redact.ts'
import { mentionId } from './mention-delivery.ts'
import { neutralised } from './rooms/mentions.ts'
import { isPausedAt, type Page, type RoomState } from './rooms/room.ts'
import { readAgentOutput } from '../../agents/view/agent-output.ts'
import type { TeamParts } from './parts.ts'

/** The usual and the largest number of posts in one answer. */
const usualLimit = 100
const mostPosts = 1000
/** The number of posts that a view of a room begins with. */
const firstPosts = 200
/** The shortest time between two updates. */
const pauseMs = 100

type Given<T extends z.ZodType> = z.infer<T>

/** The calling member: rooms are for agents and for the user. */
export const memberFor = (actor: Actor): string => {
  const member = memberOf(actor)
  if (member !== null) return member
  throw new ReinError('forbidden', 'Only agents and people are members of rooms.')
}

export const create = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof CreateRoomInput>,
): Promise<RoomView> => {
  const project = await parts.finder.project(actor, input)
  const room = await parts.rooms.create(project, input.room, redact(input.about).text, actor)
  return view(parts, room, memberFor(actor))
}

export const list = async (
  parts: TeamParts,
  actor: Actor,
  { all, ...here }: Given<typeof RoomsInput>,
): Promise<RoomView[]> =>
  views(parts, all && actor.kind === 'user' ? null : await parts.finder.project(actor, here), memberFor(actor))

const views = (parts: TeamParts, project: string | null, member: string): RoomView[] => {
  const { rooms } = parts
  const counts = { unread: rooms.unread(member, project), mentions: rooms.unreadMentions(member, project) }
  return rooms.all(project).map((room) => toView(parts, room, counts))
}

const view = (parts: TeamParts, { project, name }: RoomState, member: string): RoomView => {
  const { rooms } = parts
  const counts = { unread: rooms.unread(member, project), mentions: rooms.unreadMentions(member, project) }
  return toView(parts, rooms.get(project, name), counts)
}

interface Counts {
  unread: Map<string, number>
  mentions: Map<string, number>
}

const toView = ({ team, now }: TeamParts, room: RoomState, { unread, mentions }: Counts): RoomView => ({
  name: room.name,
  project: room.project,
  about: room.about,
  posts: room.last,
  first: room.first,
  unread: unread.get(room.key) ?? 0,
  mentions: mentions.get(room.key) ?? 0,
  members: team.agents(room.project).length + 1,
  lastAt: room.lastAt,
  paused: isPausedAt(room, now()),
  pausedUntil: room.pausedUntil,
})

export const post = async (parts: TeamParts, actor: Actor, input: Given<typeof PostInput>): Promise<PostedView> => {
  const project = await parts.finder.project(actor, input)
  // Ids that Rein makes for itself: callers must not use them.
  if (input.id !== undefined && /^post_(msg|checkin|answer|lost)/.test(input.id))
    throw new ReinError('usage', `${input.id} is an id of Rein’s own.`)
  const { text } = redact(input.text)
  const { post: posted, unknown } = await parts.rooms.post({
    project,
    name: input.room,
    author: actor,
    text,
    id: input.id,
  })
  await parts.announcer.delivered(posted.id)
  // The state of each queried agent, as Rein knows it without asking.
  const answers = posted.mentions
    .filter(({ kind }) => kind === 'query')
    .map((mention) => {
      const agent = parts.supervisor.get(mention.agent.id) as Agent
      return { handle: agent.handle, state: agent.state, screen: readAgentOutput(parts, agent) }
    })
  if (answers.length > 0) await postAnswers(parts, project, input.room, posted.id, answers)
  return {
    id: posted.id,
    room: input.room,
    n: posted.n,
    mentions: posted.mentions.map(({ agent, kind }) => {
      const id = mentionId(posted.id, agent.id)
      // Also where an earlier daemon put it into the inbox.
      const directive = kind === 'query' || findItem(parts.reader, id) === undefined ? null : id
      return { handle: agent.handle, kind, directive, damped: kind !== 'query' && directive === null }
    }),
    answers,
    unknown: tellUser(parts, posted, unknown),
  }
}

/** `@user` is the person: told on the human channels of the agent that says so. Other unknown names are ignored. */
const tellUser = (parts: TeamParts, { author, room, text }: NumberedPost, names: string[]): string[] => {
  const agent = author.kind === 'agent' ? parts.supervisor.get(author.id) : null
  if (agent !== null && names.includes(userMember))
    parts.others.channels.tellPeople(agent.project, `${agent.handle} in room ${splitRoomKey(room).name}: ${text}`)
  return names.filter((name) => name !== userMember)
}

type Answer = PostedView['answers'][number]

/** One post for all of them, and only one however often the question is sent. */
const postAnswers = async ({ rooms }: TeamParts, project: string, name: string, asked: string, answers: Answer[]) => {
  const about = answers.map(({ handle, state, screen }) =>
    [`${handle} is ${state.replaceAll('_', ' ')}.`, ...screen.map((line) => `| ${line}`)].join('\n'),
  )
  const id = `post_answer_${asked.slice('post_'.length)}`
  const text = neutralised(about.join('\n'))
  await rooms
    .post({ project, name, author: byRein, text, id, kind: 'answer', mentions: [] })
    .catch((cause: unknown) => {
      // It was answered before, when things were otherwise.
      if (asReinError(cause).code !== 'refused') throw cause
    })
}

export const posts = async (parts: TeamParts, actor: Actor, input: Given<typeof PostsInput>): Promise<PostsView> => {
  const room = parts.rooms.get(await parts.finder.project(actor, input), input.room)
  const limit = Math.min(input.limit ?? usualLimit, mostPosts)
  const shown = (page: Page) => ({
    room: room.name,
    posts: page.posts.map((one) => postView(parts, actor, one)),
    left: page.left,
    archived: 0,
    upTo: page.posts.at(-1)?.n ?? 0,
  })
  if (!input.unread) return shown(await parts.rooms.page(room, { ...input, limit }))
  const page = parts.rooms.unreadPage(room, memberFor(actor), limit)
  return { ...shown(page), archived: page.archived, upTo: page.upTo }
}

/** Text from outside is not shown to an agent in bypass mode. */
const postView = ({ others }: TeamParts, actor: Actor, posted: NumberedPost): PostView => {
  const { id, n, author, text, at, kind, mentions } = posted
  const channel = author.kind === 'channel' ? author.name : null
  const withheld = actor.kind === 'agent' && !others.channels.mayHear(actor.id, channel)
  const from = authorName(author)
  const handles = mentions.map(({ agent }) => agent.handle)
  return { id, n, author, from, text: withheld ? '' : text, at, kind, mentions: handles, withheld }
}

/** Only the reader itself confirms reading. */
export const moveCursor = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof CursorInput>,
): Promise<CursorView> => {
  const room = parts.rooms.get(await parts.finder.project(actor, input), input.room)
  const member = memberFor(actor)
  const { cursor, unread } = await parts.rooms.moveCursor(room, member, input.upTo, actor)
  parts.notices.onRead(member)
  return { room: room.name, cursor, unread }
}

export const members = async (
  parts: TeamParts,
  actor: Actor,
  input: Here & { room: string },
): Promise<MemberView[]> => {
  const { rooms, supervisor, team } = parts
  const room = rooms.get(await parts.finder.project(actor, input), input.room)
  return rooms.members(room).flatMap(({ member, cursor, unread }): MemberView[] => {
    if (member === userMember)
      return [{ handle: userMember, kind: 'person', state: null, watches: true, cursor, unread }]
    const agent = supervisor.get(member)
    if (agent === null) return []
    const { handle, state } = agent
    return [{ handle, kind: 'agent', state, watches: team.watchesRoom(agent, room.name), cursor, unread }]
  })
}

export const archive = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof ArchiveInput>,
): Promise<ArchivedView> => {
  const room = parts.rooms.get(await parts.finder.project(actor, input), input.room)
  const { archived, upTo, file } = await parts.rooms.archive(room, input.keep, actor)
  return { room: room.name, archived, upTo, file }
}

export const pause = async (parts: TeamParts, actor: Actor, input: Given<typeof PauseRoomInput>): Promise<RoomView> => {
  const { rooms, now } = parts
  const room = rooms.get(await parts.finder.project(actor, input), input.room)
  const until = input.isPaused && input.forMs !== null ? now() + input.forMs : null
  return view(parts, await rooms.pause(room, input.isPaused, until, actor), memberFor(actor))
}

/** All rooms of the project now and whenever something is new, with what is new in one of them. */
export async function* follow(
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof FollowRoomsInput>,
  signal: AbortSignal,
): AsyncGenerator<RoomsChange> {
  const project = await parts.finder.project(actor, input)
  const member = memberFor(actor)
  const name = input.room ?? null
  const room = (): RoomState | null => (name === null ? null : parts.rooms.get(project, name))
  let after = (room()?.last ?? 0) - firstPosts
  for await (const _ of parts.log.changes(['rooms', 'chats'], signal)) {
    let isMore = true
    while (isMore && !signal.aborted) {
      const fresh = await newPosts(parts, room(), after)
      after = fresh.at(-1)?.n ?? after
      isMore = fresh.length === firstPosts
      const shown = fresh.map((one) => postView(parts, actor, one))
      yield { rooms: views(parts, project, member), room: name, posts: shown }
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Posts that were archived meanwhile are left out. */
const newPosts = async ({ rooms }: TeamParts, room: RoomState | null, after: number): Promise<NumberedPost[]> => {
  if (room === null) return []
  const page = await rooms.page(room, { after: Math.max(after, room.first - 1), limit: firstPosts })
  return page.posts
}
