import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches, overlap } from './pattern.ts'

/** All texts of three letters and this length at most: one that no pattern names, for what a `*` may be. */
const textsUpTo = (length: number): string[] =>
  length === 0 ? [''] : ['', ...textsUpTo(length - 1).flatMap((rest) => [`a${rest}`, `b${rest}`, `c${rest}`])]
const texts = [...new Set(textsUpTo(6))]
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 })

test('a pattern matches what the same regular expression does', () => {
  fc.assert(
    fc.property(pattern, fc.constantFrom(...texts), (given, text) => {
      expect(matches(given, text)).toBe(new RegExp(`^${given.replaceAll('*', '.*')}$`).test(text))
    }),
  )
})

test('one matches the text of another if it matches all that the other does', () => {
  fc.assert(
    fc.property(pattern, pattern, (outer, inner) => {
      const isIncluded = texts.every((text) => !matches(inner, text) || matches(outer, text))
      expect(matches(outer, inner)).toBe(isIncluded)
    }),
  )
})

test('two overlap if some text matches both', () => {
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      expect(overlap(one, other)).toBe(texts.some((text) => matches(one, text) && matches(other, text)))
    }),
  )
})

test('many stars take no time', () => {
  expect(matches('*a'.repeat(32), 'a'.repeat(63))).toBe(true)
  expect(matches(`${'*a'.repeat(31)}*b`, 'a'.repeat(64))).toBe(false)
})
