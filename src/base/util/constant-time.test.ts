import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEqual } from './constant-time.ts'

test('equal is equal', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isEqual(a, b) === (a === b)))
  expect(isEqual('ä', 'ä')).toBe(true)
})
