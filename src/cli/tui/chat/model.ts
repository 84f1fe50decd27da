import type { MemberView, PostedView, PostView, RoomsChange, RoomView } from '../../../contract/routes/team.ts'
import { emptyInput, type Input, insert, withText } from '../terminal/input.ts'
import type { Place } from '../terminal/scroll.ts'

/** A message that may not have arrived: sent again it has the same id, and so is the same. */
export interface Unsent {
  room: string
  text: string
  id: string
}

export interface Chat {
  /** Names of the person who looks. */
  names: readonly string[]
  /** In the order of their names, so that none moves under a finger. */
  rooms: readonly RoomView[]
  chosen: string | null
  /** Of the chosen room, with how far each has read. */
  members: readonly MemberView[]
  /** Of the chosen room, without a gap. */
  posts: readonly PostView[]
  /** The first that was unread when the room was chosen. */
  newFrom: number | null
  /** Null: the newest are in sight, and those that come. */
  bottom: Place | null
  isLoading: boolean
  input: Input
  /** Unsent texts of other rooms: nothing is sent where it was not written. */
  drafts: Readonly<Record<string, string>>
  unsent: Unsent | null
  helpPage: number | null
  notice: string | null
  /** Why nothing new is heard. */
  trouble: string | null
}

export const emptyChat = (names: readonly string[], chosen: string | null = null): Chat => ({
  names,
  rooms: [],
  chosen,
  members: [],
  posts: [],
  newFrom: null,
  bottom: null,
  isLoading: false,
  input: emptyInput,
  drafts: {},
  unsent: null,
  helpPage: null,
  notice: null,
  trouble: null,
})

/** Older posts are loaded again when the person scrolls back. */
const keptPosts = 2_000

export const chosenRoom = ({ rooms, chosen }: Chat): RoomView | undefined => rooms.find(({ name }) => name === chosen)

/** News: rooms, and of the chosen one what was said. */
export const withChange = (chat: Chat, { rooms, room, posts }: RoomsChange): Chat => {
  const sorted = rooms.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const heard = { ...chat, rooms: sorted, trouble: null }
  if (chat.chosen === null) {
    const wanted = sorted.find(({ mentions }) => mentions > 0) ?? sorted.find(({ unread }) => unread > 0) ?? sorted[0]
    return { ...heard, chosen: wanted?.name ?? null }
  }
  if (room !== chat.chosen) return heard
  const all = joined(chat.posts, posts)
  const newFrom = chat.posts.length === 0 ? firstUnread(all, chosenRoom(heard)?.unread ?? 0) : chat.newFrom
  return { ...heard, newFrom, posts: chat.bottom === null ? all.slice(-keptPosts) : all }
}

/** What came twice counts once; after a gap only the newer ones are kept. */
const joined = (posts: readonly PostView[], more: readonly PostView[]): readonly PostView[] => {
  const [first, last] = [posts[0]?.n, posts.at(-1)?.n]
  if (first === undefined || last === undefined) return more
  if ((more[0]?.n ?? 0) > last + 1) return more
  return [...more.filter(({ n }) => n < first), ...posts, ...more.filter(({ n }) => n > last)]
}

const firstUnread = (posts: readonly PostView[], unread: number): number | null => {
  const others = posts.filter((post) => !isOwn(post))
  return unread === 0 ? null : ((others.at(-unread) ?? others[0])?.n ?? null)
}

/** One's own are never unread. */
export const isOwn = ({ author }: PostView): boolean => author.kind === 'user'

/** The first unread post; null if there is none or it is not loaded yet. Archived posts cannot be loaded. */
export const unreadFrom = (chat: Chat): number | null => {
  const { unread, first } = chosenRoom(chat) ?? { unread: 0, first: 0 }
  const others = chat.posts.filter((post) => !isOwn(post))
  const isAllThere = others.length >= unread || (chat.posts[0]?.n ?? first + 1) <= first
  return isAllThere ? firstUnread(chat.posts, unread) : null
}

export const withOlder = (chat: Chat, room: string, older: readonly PostView[]): Chat => {
  const heard = { ...chat, isLoading: false }
  return room === chat.chosen ? { ...heard, posts: joined(chat.posts, older) } : heard
}

export const choose = (chat: Chat, room: string): Chat => {
  if (room === chat.chosen) return chat
  const drafts = chat.chosen === null ? chat.drafts : { ...chat.drafts, [chat.chosen]: chat.input.text }
  const input = withText(chat.input, drafts[room] ?? '')
  return { ...chat, chosen: room, members: [], posts: [], newFrom: null, bottom: null, isLoading: false, drafts, input }
}

export const withPaste = (chat: Chat, text: string): Chat => ({
  ...chat,
  helpPage: null,
  input: insert(chat.input, text),
})

export const withMembers = (chat: Chat, room: string, members: readonly MemberView[]): Chat =>
  room === chat.chosen ? { ...chat, members } : chat

/** Agents that have read a post, and whether all have. */
export const readersOf = ({ members }: Chat, n: number): { handles: string[]; isAll: boolean } => {
  const agents = members.filter(({ kind }) => kind === 'agent')
  const handles = agents.filter(({ cursor }) => cursor >= n).map(({ handle }) => handle)
  return { handles, isAll: handles.length === agents.length && agents.length > 0 }
}

/** Whether something that the person said is still unread by an agent. */
export const isAwaited = (chat: Chat): boolean => {
  const last = chat.posts.findLast(isOwn)
  return last !== undefined && chat.members.some(({ kind }) => kind === 'agent') && !readersOf(chat, last.n).isAll
}

/** Tells the sender about unknown names and damped mentions. */
export const withPosted = (chat: Chat, { mentions, unknown }: PostedView): Chat => {
  const damped = mentions.filter((mention) => mention.damped).map(({ handle }) => handle)
  const notices = [
    ...(unknown.length === 0 ? [] : [`No agent here is called ${unknown.join(', ')}.`]),
    ...(damped.length === 0 ? [] : [`Only unread for ${damped.join(', ')}: enough of these wait there.`]),
  ]
  return { ...chat, unsent: null, notice: notices.join(' ') || null }
}

/** What could not be sent is there to be sent again, unless something else is being written. */
export const withUnsent = (chat: Chat, unsent: Unsent, notice: string): Chat => {
  const failed = { ...chat, unsent, notice }
  if (unsent.room === chat.chosen)
    return chat.input.text === '' ? { ...failed, input: withText(chat.input, unsent.text) } : failed
  const draft = chat.drafts[unsent.room] || unsent.text
  return { ...failed, drafts: { ...chat.drafts, [unsent.room]: draft } }
}
