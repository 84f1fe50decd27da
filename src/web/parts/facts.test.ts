import { expect, test } from 'vitest'
import { costText, shortCount } from './facts.ts'

test('large counts are short', () => {
  expect([999, 12_345, 200_000, 999_960, 1_250_000].map(shortCount)).toEqual(['999', '12.3k', '200k', '1M', '1.3M'])
})

test('a cost has cents, and more digits only below one', () => {
  expect([0, 0.0031, 0.0312, 1.25].map((costUsd) => costText({ costUsd }))).toEqual([
    '$0.00',
    '$0.0031',
    '$0.03',
    '$1.25',
  ])
  expect([costText(null), costText({}), costText({ costUsd: null })]).toEqual(['', '', ''])
})
