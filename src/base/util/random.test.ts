import { expect, test } from 'vitest'
import { randomBytes } from './random.ts'

test('gives as many bytes as asked for, and never the same ones again', () => {
  const given = Array.from({ length: 2000 }, () => randomBytes(16).toString('hex'))
  expect(given.every((bytes) => bytes.length === 32)).toBe(true)
  expect(new Set(given).size).toBe(given.length)
})
