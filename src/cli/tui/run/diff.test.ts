import { describe, expect, test } from 'vitest'
import { diffOf } from './diff.ts'

describe('a difference', () => {
  test('is as short as it can be, and turns the one into the other', () => {
    const [before, after] = ['a\nb\nc\nd\ne', 'a\nc\nX\ne\nf']
    const lines = diffOf(before, after, 5)
    expect(lines.map(({ sign, number, text }) => `${number}${sign}${text}`)).toEqual([
      '5 a',
      '6-b',
      '6 c',
      '8-d',
      '7+X',
      '8 e',
      '9+f',
    ])
  })

  test('of two large texts is found at once', () => {
    const text = (word: string): string => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n')
    expect(diffOf(text('a'), text('b'))).toHaveLength(6_000)
  })
})
