import { expect, test } from 'vitest'
import { stepIn } from './step-in.ts'

test('goes round, and begins at either end', () => {
  expect([0, 1, 2].map((at) => stepIn(3, at, 1))).toEqual([1, 2, 0])
  expect([0, 1, 2].map((at) => stepIn(3, at, -1))).toEqual([2, 0, 1])
  expect([stepIn(3, -1, 1), stepIn(3, -1, -1)]).toEqual([0, 2])
})
