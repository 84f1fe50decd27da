import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depthOf, limits, parseHostile } from './limits.ts'

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

test('how deep a JSON text is nested is known before it is parsed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(depthOf(JSON.stringify(value))).toBe(depth(value))
    }),
  )
})

test('what is nested too deeply is refused, however deep', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  expect(parseHostile(nested(limits.depth), 'it')).toBeDefined()
  for (const levels of [limits.depth + 1, 1_000_000])
    expect(() => parseHostile(nested(levels), 'it')).toThrow('it is nested too deeply')
})
