import { setImmediate as others } from 'node:timers/promises'
import type { NumberedPost } from '../../../contract/team.ts'
import { type Database, snapshot } from '../../../base/store/sqlite.ts'
import { isTurnOver, notIn, type Page, type PageQuery, type Range, rangeOf, type UnreadPage } from './room.ts'
import { countOwn, lastBefore, memberState, nextOfOthers, postAt, presentRoom } from './store.ts'

/** The size at which a page ends, even if more was asked for. */
const pageChars = 4 * 1024 * 1024

/** One page of a room at one moment: a post that is archived in the meantime is in it, or not, as a whole. */
export const readPage = async (db: Database, key: string, query: PageQuery): Promise<Page> => {
  if (query.search === undefined)
    return snapshot(db, () => {
      const range = rangeIn(db, key, query)
      const all = Math.max(0, range.upTo - range.after)
      const size = Math.min(all, query.limit)
      const first = isFromStart(query) ? range.after + 1 : range.upTo - size + 1
      const numbers = Array.from({ length: size }, (_, index) => first + index)
      const { posts } = take(db, key, numbers, query)
      return { posts, left: all - posts.length }
    })
  const range = snapshot(db, () => rangeIn(db, key, { ...query, last: undefined }))
  const found = await search(db, key, range, query.search.toLowerCase())
  return snapshot(db, () => {
    const { first } = presentRoom(db, key)
    const still = found.filter((n) => n >= first)
    return take(db, key, query.last === undefined ? still : still.slice(-query.last), query)
  })
}

/** The posts that a member has not read. */
export const readUnread = (db: Database, key: string, member: string, limit: number): UnreadPage =>
  snapshot(db, () => {
    const { first, last } = presentRoom(db, key)
    const state = memberState(db, key, member)
    if (state === undefined) throw notIn(key, member)
    const gone = Math.max(0, first - 1 - state.cursor)
    const archived = gone - countOwn(db, key, member, state.cursor, state.cursor + gone)
    const posts = [...within(unreadPosts(db, key, member, state.cursor + gone), limit)]
    const left = state.unread - archived - posts.length
    return { posts, left, archived, upTo: left === 0 ? last : (posts.at(-1)?.n ?? state.cursor) }
  })

function* unreadPosts(db: Database, key: string, member: string, after: number): Generator<NumberedPost> {
  let post = nextOfOthers(db, key, after, member)
  while (post !== undefined) {
    yield post
    post = nextOfOthers(db, key, post.n, member)
  }
}

/** As many posts as fit a page, and at least one. */
function* within(posts: Iterable<NumberedPost>, limit: number): Generator<NumberedPost> {
  let count = 0
  let chars = 0
  for (const post of posts) {
    chars += post.text.length
    if (count > 0 && chars > pageChars) return
    yield post
    count += 1
    if (count >= limit) return
  }
}

const rangeIn = (db: Database, key: string, query: PageQuery): Range => {
  const range = rangeOf(presentRoom(db, key), query)
  if (query.since === undefined) return range
  return { ...range, after: lastBefore(db, key, query.since, range.after) }
}

/** Pages start at the given beginning, else they end at the end. */
const isFromStart = ({ after, since, last }: PageQuery): boolean =>
  after !== undefined || since !== undefined || last !== undefined

const take = (db: Database, key: string, numbers: readonly number[], query: PageQuery): Page => {
  const order = isFromStart(query) ? numbers : numbers.toReversed()
  const posts = [...within(postsAt(db, key, order), query.limit)]
  return { posts: posts.toSorted((a, b) => a.n - b.n), left: numbers.length - posts.length }
}

function* postsAt(db: Database, key: string, numbers: Iterable<number>): Generator<NumberedPost> {
  for (const n of numbers) {
    const post = postAt(db, key, n)
    if (post !== undefined) yield post
  }
}

/** The numbers of posts that contain a text. Goes backwards: posts that are archived in the meantime only end it earlier. */
const search = async (db: Database, key: string, { after, upTo }: Range, wanted: string): Promise<number[]> => {
  const found: number[] = []
  let posts = 0
  let chars = 0
  for (let n = upTo; n > after; n -= 1) {
    const text = postAt(db, key, n)?.text
    if (text === undefined) break
    if (text.toLowerCase().includes(wanted)) found.push(n)
    posts += 1
    chars += text.length
    if (!isTurnOver(posts, chars)) continue
    await others()
    posts = chars = 0
  }
  return found.toReversed()
}
