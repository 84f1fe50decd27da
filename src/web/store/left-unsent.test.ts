import { expect, test } from 'vitest'
import { leftUnsent } from './left-unsent.ts'

test('what was typed while a text was sent stays', () => {
  expect(leftUnsent('hello', 'hello')).toBe('')
  expect(leftUnsent('hello', 'hello\nand more')).toBe('and more')
  expect(leftUnsent('hello', 'something else')).toBe('something else')
  expect(leftUnsent('hello', '')).toBe('')
})
