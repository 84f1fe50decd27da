import { setImmediate as others } from 'node:timers/promises'
import type { NumberedPost } from '../../../contract/team.ts'
import { type Database, snapshot } from '../../../base/store/sqlite.ts'
import { isTurnOver, notIn, type Page, type PageQuery, type Range, rangeOf, type UnreadPage } from './room.ts'
import { countOwn, lastBefore, memberState, nextOfOthers, postAt, presentRoom } from './store.ts'

/** A page ends here even if more was asked for: what is large is read in several. */
const pageChars = 4 * 1024 * 1024

/** One page of a room, as it was at one moment: what is archived meanwhile is in it, or is not, as a whole. */
export const readPage = async (db: Database, key: string, query: PageQuery): Promise<Page> => {
  if (query.search === undefined) return snapshot(db, () => readRange(db, key, query))
  const range = snapshot(db, () => rangeIn(db, key, { ...query, last: undefined }))
  const found = await search(db, key, range, query.search.toLowerCase())
  return snapshot(db, () => {
    const { first } = presentRoom(db, key)
    const still = found.filter((n) => n >= first)
    return take(db, key, query.last === undefined ? still : still.slice(-query.last), query)
  })
}

const readRange = (db: Database, key: string, query: PageQuery): Page => {
  const range = rangeIn(db, key, query)
  const { after, upTo } = range
  const some = isFromStart(query)
    ? { after, upTo: Math.min(upTo, after + query.limit) }
    : { after: Math.max(after, upTo - query.limit), upTo }
  const { posts } = take(db, key, numbersIn(some), query)
  return { posts, left: sizeOf(range) - posts.length }
}

/** What a member has not read. */
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

/** As many as fit a page, and one in any case. */
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

/** From the beginning if one was given, else from the end. */
const isFromStart = ({ after, since, last }: PageQuery): boolean =>
  after !== undefined || since !== undefined || last !== undefined

const take = (db: Database, key: string, numbers: readonly number[], query: PageQuery): Page => {
  const order = isFromStart(query) ? numbers : numbers.toReversed()
  const posts = [...within(postsAt(db, key, order), query.limit)]
  return { posts: posts.toSorted((a, b) => a.n - b.n), left: numbers.length - posts.length }
}

const sizeOf = ({ after, upTo }: Range): number => Math.max(0, upTo - after)

const numbersIn = (range: Range): number[] =>
  Array.from({ length: sizeOf(range) }, (_, index) => range.after + 1 + index)

function* postsAt(db: Database, key: string, numbers: Iterable<number>): Generator<NumberedPost> {
  for (const n of numbers) {
    const post = postAt(db, key, n)
    if (post !== undefined) yield post
  }
}

/** The numbers of posts that hold a text. Goes backwards: what is archived on the way only ends it earlier. */
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
