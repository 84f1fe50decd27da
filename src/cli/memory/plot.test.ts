import { expect, test } from 'vitest'
import { bar, gathered, sparkline } from './plot.ts'

test('a sparkline is as high as its values are beside the largest', () => {
  expect(sparkline([0, 1, 2, null, 7])).toBe('▁▂▃ █')
  expect(sparkline([0, 0])).toBe('▁▁')
  expect(sparkline([])).toBe('')
})

test('a bar fills its width', () => {
  expect(bar(1, 3)).toBe('███')
  expect(bar(0.5, 3)).toBe('█▌')
  expect(bar(0, 3)).toBe('')
  expect(bar(2, 3)).toBe('███')
})

test('neighbours are put together', () => {
  expect(gathered([1, 2, 3, 4, 5], 3)).toEqual([[1, 2], [3, 4], [5]])
  expect(gathered([1, 2], 3)).toEqual([[1], [2]])
  expect(gathered([], 3)).toEqual([])
})
