import { expect, test } from 'vitest'
import { takePrefix } from './cut-prefix.ts'

const lines = ['{"n":1}', '{"n":2}', '{"end":true}', '{"end":true}', '{"n":3}', '']
const closes = ({ end }: Record<string, unknown>): boolean => end === true

test('the first lines, and those behind them that close the turn', () => {
  expect(takePrefix(lines, 1)).toEqual({ lines: lines.slice(0, 1), damaged: [] })
  expect(takePrefix(lines, 2, closes)).toEqual({ lines: lines.slice(0, 4), damaged: [] })
  expect(takePrefix(lines, 5, closes)).toEqual({ lines: lines.slice(0, 5), damaged: [] })
})

test('a damaged line behind them is told, one among them is refused', () => {
  const damaged = lines.with(1, '{"n":')
  expect(takePrefix(damaged, 1, closes).damaged).toEqual([2])
  expect(() => takePrefix(damaged, 3, closes)).toThrow('cannot be read in line 2')
})
