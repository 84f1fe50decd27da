import { expect, test } from 'vitest'
import { shown } from './shown.ts'

test('what others wrote is quoted, short, and obeyed by no terminal', () => {
  expect(shown('a "b"')).toBe(String.raw`"a \"b\""`)
  expect(shown(undefined)).toBe('undefined')
  expect(shown('\u001b[2J\u009b')).toBe(String.raw`"\u001b[2J?"`)
  expect(shown('x'.repeat(100))).toHaveLength(61)
})
