import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutShown, escapeUnsafe, escapeUnsafeJson, quote } from './visible.ts'

/** By category and by name, apart from the table that is tested. */
const isUnseen = (code: number): boolean => {
  if (code === 9 || code === 10) return false
  const char = String.fromCodePoint(code)
  return (
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(char) ||
    [0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2065, 0x2800, 0x3164, 0xffa0, 0x1d159].includes(code) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0xe0000 && code <= 0xe0fff)
  )
}
const unseen = Array.from({ length: 0x110000 }, (_, code) => code).filter(isUnseen)
const anUnseen = fc.nat(unseen.length - 1).map((index) => String.fromCodePoint(unseen[index] ?? 0))
const legitimate = [
  '❤️',
  '☺︎',
  '1️⃣',
  '#️⃣',
  '👨‍👩‍👧‍👦',
  '👩🏽‍💻',
  '🏳️‍🌈',
  '🧑‍🚀',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇩🇪',
  '👍🏿',
  '©️',
  '🏴‍☠️',
  '⛹🏾‍♀️',
]

/** What is left of a text without the sequences that may stay. */
const leftover = (text: string): string =>
  legitimate.toSorted((a, b) => b.length - a.length).reduce((rest, one) => rest.replaceAll(one, ''), text)
const hasUnseen = (text: string): boolean => Array.from(text).some((char) => isUnseen(char.codePointAt(0) ?? 0))

describe('what nobody sees is shown', () => {
  test('every such sign, alone and between letters', () => {
    expect(unseen.length).toBeGreaterThan(140_000)
    expect(unseen.filter((code) => hasUnseen(escapeUnsafe(`a${String.fromCodePoint(code)}b`)))).toEqual([])
    expect(escapeUnsafe('a\u{E0041}\uFE0F\u3164\u00ADb')).toBe('a\\u{e0041}\\u{fe0f}\\u{3164}\\u{ad}b')
  })

  test('in any text, and however it is cut and escaped again', () => {
    const piece = fc.oneof(anUnseen, fc.constantFrom('a', '1', '#', '漢', 'é', ' ', '\n', '{', '\\u'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(40), (pieces, count) => {
        const shown = escapeUnsafe(pieces.join(''))
        expect(hasUnseen(shown)).toBe(false)
        expect(escapeUnsafe(shown)).toBe(shown)
        expect(escapeUnsafe(quote(pieces.join('')))).toBe(quote(pieces.join('')))
        expect(hasUnseen(cutShown(shown, count))).toBe(false)
      }),
    )
  })

  test('also beside emoji, which stay what they are', () => {
    const piece = fc.oneof(
      fc.constantFrom(...legitimate),
      fc.constantFrom('\u200b', '\u{e0067}', '\ufe0f', '\u200d', '\u{e0100}', '\u2063').map((one) => `x${one}x`),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const shown = escapeUnsafe(pieces.join(' '))
        expect(hasUnseen(leftover(shown))).toBe(false)
        expect(escapeUnsafe(shown)).toBe(shown)
        expect(legitimate.filter((one) => pieces.includes(one) && !shown.includes(one))).toEqual([])
      }),
    )
  })
})

test('words in tags or selectors behind an emoji do not pass for a part of it', () => {
  const tags = Array.from('obey', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  const selectors = Array.from('obey', (letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0) - 16)).join('')
  const count = (text: string): number => Array.from(text).filter(hasUnseen).length
  for (const base of ['😀', '🏴', '❤️', '1', '👨‍👩‍👧']) {
    for (const hidden of [tags, selectors, '\u200d\u200d', '\ufe01'])
      expect(count(escapeUnsafe(`${base}${hidden}`))).toBe(count(base))
    expect(count(escapeUnsafe(`${base}${'\ufe0f'.repeat(9)}`))).toBeLessThanOrEqual(count(base) + 1)
  }
})

test('in JSON it is escaped as JSON has it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anUnseen, (text, sign) => {
      const value = { text: `${text}${sign}👨‍👩‍👧` }
      const json = escapeUnsafeJson(JSON.stringify(value))
      expect(JSON.parse(json)).toEqual(value)
      expect(hasUnseen(leftover(json).replaceAll(/\p{Extended_Pictographic}(?:\u200d|\ufe0e|\ufe0f)?/gu, ''))).toBe(
        false,
      )
    }),
  )
})

test('a text that is cut ends with no half of an emoji', () => {
  const family = '👨‍👩‍👧'
  for (let count = 0; count <= 5; count += 1) expect(cutShown(family, count)).not.toMatch(/\u200d$/)
  expect(cutShown(family, 5)).toBe(family)
  expect(cutShown('1️⃣2', 2)).toBe('1')
})
