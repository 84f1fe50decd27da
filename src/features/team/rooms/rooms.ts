import { ReinError } from '../../../contract/errors.ts'
import { channelPattern } from '../../../contract/handle.ts'
import type { Actor } from '../../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../../contract/record.ts'
import { type NumberedPost, type Post, type Room, roomKey } from '../../../contract/team.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { hintNearest } from '../../../base/util/nearest.ts'
import { checkText } from '../check-text.ts'
import { type Archived, Archives } from './archives.ts'
import { parseMentions } from './mentions.ts'
import { readPage, readUnread } from './reading.ts'
import {
  aheadOf,
  authorKey,
  type MemberState,
  type Namable,
  type NewPost,
  notIn,
  type Page,
  type PageQuery,
  type Posted,
  resolveMentions,
  type RoomState,
  type UnreadPage,
} from './room.ts'
import {
  allRooms,
  findPost,
  hasRoom,
  membersOf,
  memberState,
  newestUnread,
  placeOf,
  roomState,
  unreadCounts,
  unreadMentions,
} from './store.ts'

/** The ports of rooms. */
interface RoomPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  agents(project: string): Namable[]
  now(): number
  newId(prefix: string): string
  /** The directory of archived posts; made when it is needed. */
  archiveDir: string
  /** Once for each post, in the order of their numbers, when it is on disk. */
  onPosted(post: NumberedPost, seq: number): void
  onTrouble(where: string, cause: unknown): void
}

export interface RoomLimits {
  maxTextBytes: number
  /** How many posts stay in a room before the oldest are archived; 0: all. */
  keep: number
}

/** The messages of a project's members to each other, and how far each has read. */
export class Rooms {
  readonly #ports: RoomPorts
  readonly #limits: RoomLimits
  readonly #archives: Archives
  /** On their way to the disk: the same id again waits for them. */
  readonly #posting = new Map<string, Promise<Posted>>()

  constructor(ports: RoomPorts, limits: RoomLimits) {
    this.#ports = ports
    this.#limits = limits
    this.#archives = new Archives(ports, limits.keep)
  }

  /** The rooms of one project; null: of all projects. */
  all(project: string | null): RoomState[] {
    return allRooms(this.#ports.reader, project)
  }

  has(key: string): boolean {
    return hasRoom(this.#ports.reader, key)
  }

  get(project: string, name: string): RoomState {
    const room = roomState(this.#ports.reader, roomKey(project, name))
    if (room === undefined) throw this.#unknown(project, name)
    return room
  }

  /** The same name again is the same room. */
  async create(project: string, name: string, about: string, actor: Actor): Promise<RoomState> {
    if (!channelPattern.test(name))
      throw new ReinError(
        'usage',
        `${JSON.stringify(name)} is no name of a room.`,
        'Use up to 32 of: a to z, 0 to 9, _ and -.',
      )
    const room = { project, name, about, createdAt: this.#ports.now() }
    if (!this.has(roomKey(project, name)))
      await this.#append(this.#record('room.created', { room }, room, actor, `room:${project}/${name}`))
    return this.get(project, name)
  }

  /** Resolves when it is on disk, with its number. The same id again is the same post. */
  async post(given: NewPost): Promise<Posted> {
    const { id } = given
    if (id === undefined) return this.#write(given)
    const known = this.#posting.get(id) ?? findPost(this.#ports.reader, id)
    if (known !== undefined) {
      const { post, seq } = await known
      const isSame =
        post.room === roomKey(given.project, given.name) &&
        post.text === given.text &&
        authorKey(post.author) === authorKey(given.author)
      if (!isSame) throw new ReinError('refused', `${post.id} is another message already.`)
      return { post, seq, unknown: this.#mentions(given).unknown }
    }
    const posting = this.#write(given)
    this.#posting.set(id, posting)
    return posting.finally(() => this.#posting.delete(id))
  }

  /** A post for a caller that appends it with other records, and announces it afterwards. */
  draft(given: NewPost): AnyNewRecord {
    return this.#compose(given).record
  }

  /** A drafted post is on disk, written by this daemon or another. */
  announce(id: string): NumberedPost {
    const found = findPost(this.#ports.reader, id)
    if (found === undefined) throw notPosted(id)
    this.#announce(found.post, found)
    return found.post
  }

  /** By number, time or text. Moves no cursor. */
  page(room: Room, query: PageQuery): Promise<Page> {
    return readPage(this.#ports.reader, roomKey(room.project, room.name), query)
  }

  /** The posts that this member has neither read nor written. Moves no cursor: that happens when the member has them. */
  unreadPage(room: Room, member: string, limit: number): UnreadPage {
    return readUnread(this.#ports.reader, roomKey(room.project, room.name), member, limit)
  }

  /** The member has read all up to here. Never back. */
  async moveCursor(
    room: Room,
    member: string,
    upTo: number,
    actor: Actor,
  ): Promise<{ cursor: number; unread: number }> {
    const { key, name, last } = this.get(room.project, room.name)
    if (upTo > last) throw aheadOf(name, last, upTo)
    const before = this.#member(key, member)
    if (upTo <= before.cursor) return { cursor: before.cursor, unread: before.unread }
    await this.#append(this.#record('chat.read', { room: key, member, upTo }, room, actor))
    const { cursor, unread } = this.#member(key, member)
    return { cursor, unread }
  }

  members(room: Room): MemberState[] {
    return membersOf(this.#ports.reader, roomKey(room.project, room.name))
  }

  /** Unread posts of a member by the key of the room; rooms without any are left out. */
  unread(member: string, project: string | null): Map<string, number> {
    return unreadCounts(this.#ports.reader, member, project)
  }

  /** How many of these name it. */
  unreadMentions(member: string, project: string | null): Map<string, number> {
    return unreadMentions(this.#ports.reader, member, project)
  }

  /** The record of the newest post that it has not read and that is not Rein's own, by the key of the room. */
  newestUnread(member: string, project: string | null): Map<string, number> {
    return newestUnread(this.#ports.reader, member, project)
  }

  /** Moves all but the newest into a file. Moves no cursor. */
  archive(room: Room, keep: number, actor: Actor): Promise<Archived> {
    return this.#archives.archive(roomKey(room.project, room.name), keep, actor)
  }

  /** Stops check-ins in this room: until a time, or (null) until they are resumed. */
  async pause(room: Room, isPaused: boolean, until: number | null, actor: Actor): Promise<RoomState> {
    const { key } = this.get(room.project, room.name)
    await this.#append(this.#record('room.paused', { room: key, isPaused, until }, room, actor))
    return this.get(room.project, room.name)
  }

  async #write(given: NewPost): Promise<Posted> {
    const { post, unknown, record } = this.#compose(given)
    await this.#append(record)
    const place = placeOf(this.#ports.reader, post.id)
    if (place === undefined) throw notPosted(post.id)
    const numbered = { ...post, n: place.n }
    this.#announce(numbered, place)
    return { post: numbered, seq: place.seq, unknown }
  }

  #announce(post: NumberedPost, { seq, held }: { seq: number; held: number }): void {
    this.#ports.onPosted(post, seq)
    this.#archives.onPosted(post, held)
  }

  #compose(given: NewPost): { post: Post; unknown: string[]; record: AnyNewRecord } {
    const { project, name, author, text, kind = 'message', id = this.#ports.newId('post') } = given
    const room = roomKey(project, name)
    if (!this.has(room)) throw this.#unknown(project, name)
    if (text.trim() === '') throw new ReinError('empty_text', 'There is no text to post.')
    checkText(text, 'text', this.#limits.maxTextBytes, 'Put it into a file and post its path.')
    const { mentions, unknown } = this.#mentions(given)
    const post = { id, room, author, text, at: this.#ports.now(), mentions, kind }
    return { post, unknown, record: this.#record('chat.posted', { post }, given, author, id) }
  }

  #mentions({ project, author, text, mentions }: NewPost): Pick<Post, 'mentions'> & { unknown: string[] } {
    if (mentions !== undefined) return { mentions, unknown: [] }
    const named = parseMentions(text)
    return named.length === 0
      ? { mentions: [], unknown: [] }
      : resolveMentions(named, this.#ports.agents(project), author)
  }

  #member(key: string, member: string): MemberState {
    const state = memberState(this.#ports.reader, key, member)
    if (state === undefined) throw notIn(key, member)
    return state
  }

  #unknown(project: string, name: string): ReinError {
    const names = this.all(project).map((room) => room.name)
    const hint = hintNearest(name, names, `Make it: rein chat create ${name}`)
    return new ReinError('unknown_room', `There is no room ${name} in ${project}.`, hint)
  }

  #append(record: AnyNewRecord): Promise<number[]> {
    return this.#ports.append([record])
  }

  #record<T extends RecordType>(
    type: T,
    body: RecordBody<T>,
    { project }: Pick<Room, 'project'>,
    actor: Actor,
    id = this.#ports.newId('rec'),
  ) {
    const agent = actor.kind === 'agent' ? actor.id : null
    return newRecord(type, body, { id, at: this.#ports.now(), actor, agent, project }) as AnyNewRecord
  }
}

const notPosted = (id: string): ReinError => new ReinError('failed', `${id} was not posted.`)
