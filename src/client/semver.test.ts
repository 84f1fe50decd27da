import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOlder } from './semver.ts'

const number = fc.nat(20)
const identifier = fc.oneof(fc.nat(20).map(String), fc.constantFrom('alpha', 'beta', 'rc'))
const version = fc
  .tuple(number, number, number, fc.array(identifier, { maxLength: 3 }))
  .map(([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre.length === 0 ? '' : `-${pre.join('.')}`}`)

describe('isOlder', () => {
  test.each([
    ['0.1.0', '0.1.1'],
    ['0.9.0', '0.10.0'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-rc', '1.0.0-rc.1'],
    ['1.0.0-1', '1.0.0-alpha'],
  ])('%s comes before %s', (older, newer) => {
    expect([isOlder(older, newer), isOlder(newer, older)]).toEqual([true, false])
  })

  test('what is no version is not older', () => {
    expect([isOlder('', '1.0.0'), isOlder('newest', '1.0.0'), isOlder('1.0.0', '?')]).toEqual([false, false, false])
  })

  test('is a strict order', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(isOlder(a, a)).toBe(false)
        expect(isOlder(a, b) && isOlder(b, a)).toBe(false)
        expect(isOlder(a, b) && isOlder(b, c) && !isOlder(a, c)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
