import { expect, test } from 'vitest'
import { isAtLeast } from './version.ts'

test.each([
  ['2.1.9', '2.1.9', true],
  ['2.1.10', '2.1.9', true],
  ['2.1.8', '2.1.9', false],
  ['2.2.0', '2.1.197', true],
  ['3.0', '2.1.197', true],
  ['2.1', '2.1.9', false],
  ['1.99.99', '2.1.9', false],
  ['2.1.197-beta.1', '2.1.197', true],
  ['', '2.1.9', false],
])('%s is at least %s: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected)
})
