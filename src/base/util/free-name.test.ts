import { expect, test } from 'vitest'
import { freeName } from './free-name.ts'

test('the first number that is free, from 2 on', () => {
  expect(freeName('ada', () => false)).toBe('ada-2')
  expect(freeName('ada', (name) => ['ada-2', 'ada-3'].includes(name))).toBe('ada-4')
  // With its number it is no longer than it may be.
  expect(freeName('abcdef', (name) => name === 'abcd-2', 6)).toBe('abcd-3')
})
