import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellWidth, fit, fitEnd, pad, wrap } from './cells.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🚀', 'e\u0301', ' ', '한', '│') })

describe('cells', () => {
  test.each([
    ['abc', 3],
    ['漢字', 4],
    ['🚀', 2],
    ['e\u0301', 1],
    ['한글', 4],
    ['→ ls', 4],
    ['Ａ', 2],
  ])('%s takes %i', (sample, width) => {
    expect(cellWidth(sample)).toBe(width)
  })

  test('a text that fits stays; another ends in an ellipsis, and no wide character is halved', () => {
    expect([fit('漢字', 4), fit('漢字', 3), fit('漢字', 2), fit('漢字', 1), fit('漢字', 0)]).toEqual([
      '漢字',
      '漢…',
      '…',
      '…',
      '',
    ])
  })

  test('or begins with one', () => {
    expect([fitEnd('a漢字', 5), fitEnd('a漢字', 4), fitEnd('a漢字', 3), fitEnd('漢', 0)]).toEqual([
      'a漢字',
      '…字',
      '…字',
      '',
    ])
  })

  test('nothing is ever wider than it may be, and padding is exact', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (sample, columns) => {
        expect(cellWidth(fit(sample, columns))).toBeLessThanOrEqual(columns)
        expect(cellWidth(fitEnd(sample, columns))).toBeLessThanOrEqual(columns)
        expect(cellWidth(pad(sample, columns))).toBe(columns)
      }),
    )
  })

  test('wrapping loses nothing but spaces at the breaks', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (sample, columns) => {
        const lines = wrap(sample, columns)
        expect(lines.every((line) => cellWidth(line) <= columns)).toBe(true)
        expect(lines.join('').replaceAll(' ', '')).toBe(sample.replaceAll(' ', ''))
      }),
    )
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  })
})
