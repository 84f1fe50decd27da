import { describe, expect, test } from 'vitest'
import type { PostView } from '../../contract/routes/team.ts'
import { emptyRoom, readUpTo, type RoomBook, withCursor, withOlder, withPosts, withSeen } from './room-book.ts'

const post = (n: number): PostView => ({
  id: `post_${n}`,
  n,
  author: { kind: 'daemon' },
  from: 'rein',
  text: `text ${n}`,
  at: n,
  kind: 'message',
  mentions: [],
  withheld: false,
})
const posts = (from: number, to: number): PostView[] =>
  Array.from({ length: to - from + 1 }, (_, at) => post(from + at))
const numbers = ({ posts: all }: RoomBook): number[] => all.map(({ n }) => n)

describe('posts', () => {
  test('come once, however often they are told', () => {
    expect(numbers(withPosts(withPosts(emptyRoom, posts(1, 3)), posts(2, 5)))).toEqual([1, 2, 3, 4, 5])
    expect(numbers(withPosts(withPosts(emptyRoom, posts(1, 3)), []))).toEqual([1, 2, 3])
  })

  test('have no gap after a break, nor before what was scrolled to', () => {
    const broken = withPosts(withPosts(emptyRoom, posts(1, 3)), posts(7, 9))
    expect(numbers(broken)).toEqual([7, 8, 9])
    expect(numbers(withOlder(broken, posts(2, 6)))).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(numbers(withOlder(broken, posts(2, 4)))).toEqual([7, 8, 9])
  })
})

describe('the cursor', () => {
  const seeing = (cursor: number, ...seen: number[]): RoomBook =>
    seen.reduce(withSeen, withCursor(withPosts(emptyRoom, posts(1, 9)), cursor))

  test('moves only over what was on the screen', () => {
    expect(readUpTo(seeing(3, 4, 5, 7), 1)).toBe(5)
    expect(readUpTo(seeing(3, 8, 9), 1)).toBeNull()
    expect(readUpTo(seeing(3), 1)).toBeNull()
    expect(readUpTo({ ...seeing(3, 4), cursor: null }, 1)).toBeNull()
  })

  test('jumps over what is archived', () => {
    expect(readUpTo(seeing(2, 6, 7), 6)).toBe(7)
  })

  test('never moves back', () => {
    expect(withCursor(seeing(5, 6), 2).cursor).toBe(5)
    expect(withCursor(seeing(5, 6, 7), 6).seen).toEqual(new Set([7]))
  })
})
