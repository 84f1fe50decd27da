import { expect, test } from 'vitest'
import { msAgo } from './pane.ts'

test.each([
  ['in this second', 100, 100_400, 0],
  ['a while ago', 100, 131_000, 30_000],
  ['before the clock was set back', 4000, 100_000, null],
])('when somebody typed: %s', (_, second, now, expected) => {
  expect(msAgo(second, now)).toBe(expected)
})
