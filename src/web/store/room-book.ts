import type { PostView } from '../../contract/routes/team.ts'

/** What is known of one room. */
export interface RoomBook {
  /** Without a gap, oldest first. */
  posts: readonly PostView[]
  /** The person has read up to here, as the daemon has it; null: not known yet. */
  cursor: number | null
  /** Those after the cursor that were on the screen. */
  seen: ReadonlySet<number>
}

export const emptyRoom: RoomBook = { posts: [], cursor: null, seen: new Set() }

/** After a break there may be a gap: then only what is new is kept, and what is older comes when it is scrolled to. */
export const withPosts = (book: RoomBook, posts: readonly PostView[]): RoomBook => {
  const [first] = posts
  const last = book.posts.at(-1)?.n ?? 0
  if (first === undefined) return book
  if (book.posts.length > 0 && first.n > last + 1) return { ...book, posts }
  return { ...book, posts: [...book.posts, ...posts.filter(({ n }) => n > last)] }
}

/** Only those that join what is there. */
export const withOlder = (book: RoomBook, posts: readonly PostView[]): RoomBook => {
  const first = book.posts[0]?.n ?? 0
  const older = posts.filter(({ n }) => n < first)
  return older.at(-1)?.n === first - 1 ? { ...book, posts: [...older, ...book.posts] } : book
}

/** It never moves back. */
export const withCursor = (book: RoomBook, cursor: number): RoomBook => {
  const moved = Math.max(cursor, book.cursor ?? 0)
  return { ...book, cursor: moved, seen: new Set([...book.seen].filter((n) => n > moved)) }
}

export const withSeen = (book: RoomBook, n: number): RoomBook =>
  book.seen.has(n) || n <= (book.cursor ?? 0) ? book : { ...book, seen: new Set([...book.seen, n]) }

/** Up to where it is read: everything before was on the screen. `first`: older ones are archived. Null: nothing new. */
export const readUpTo = ({ cursor, seen }: RoomBook, first: number): number | null => {
  if (cursor === null) return null
  let upTo = Math.max(cursor, first - 1)
  if (!seen.has(upTo + 1)) return null
  while (seen.has(upTo + 1)) upTo += 1
  return upTo
}
