import { describe, expect, test } from 'vitest'
import { completeMention, findNames, mentionAt, preselectName } from './mention.ts'

describe('mentionAt', () => {
  test.each([
    ['@', { start: 0, typed: '' }],
    ['see @wor', { start: 4, typed: 'wor' }],
    ['(@Ada', { start: 1, typed: 'Ada' }],
    ['me@example', null],
    ['https://x/@scope', null],
    ['\\@ada', null],
    ['@ada ', null],
    ['@ada!', null],
  ])('%s', (text, found) => {
    expect(mentionAt(text, text.length)).toEqual(found)
  })

  test('looks only at what is before the caret', () => {
    expect(mentionAt('@ada and more', 3)).toEqual({ start: 0, typed: 'ad' })
  })
})

test('names that begin so come first', () => {
  expect(findNames(['all', 'lead', 'ada', 'worker-1'], 'a')).toEqual(['all', 'ada', 'lead'])
  expect(findNames(['ada', 'eve'], 'AD')).toEqual(['ada'])
  expect(findNames(['ada', 'ada-2', 'canada'], 'ada')).toEqual(['ada-2'])
  expect(
    findNames(
      Array.from({ length: 30 }, (_, at) => `w${at}`),
      'w',
    ),
  ).toHaveLength(8)
})

test('a whole name is not completed to that of another agent', () => {
  const names = ['worker-1', 'worker-10', 'worker-2']
  expect(findNames(names, 'worker-1')).toEqual(['worker-10'])
  expect(preselectName(names, 'worker-1')).toBe(-1)
  expect(preselectName(names, 'Worker-1')).toBe(-1)
  expect(preselectName(names, 'worker-')).toBe(0)
})

test('completes in the middle of a text', () => {
  const text = 'hi @wo please'
  expect(completeMention(text, 6, { start: 3, typed: 'wo' }, 'worker-1')).toEqual({
    text: 'hi @worker-1 please',
    caret: 13,
  })
  expect(completeMention('@w', 2, { start: 0, typed: 'w' }, 'worker-1')).toEqual({ text: '@worker-1 ', caret: 10 })
})
