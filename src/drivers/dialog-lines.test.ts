import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedIn, lowestOf, optionsIn } from './dialog-lines.ts'

const option = /^\s*(?:(?<mark>❯)\s*)?(?<key>\d)\. (?<label>.+)$/
const own = [' ❯ 1. Yes', '   2. Yes, always', '   3. No']
const labels = (lines: readonly string[]): string[] => optionsIn(lines, option).map(({ label }) => label)

test('nothing that stands above the options is one of them', () => {
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('', ' ', '   ', ' ❯ '), fc.integer({ min: 1, max: 9 }), fc.constantFrom('Yes', 'No'))
      .map(([before, key, label]) => `${before}${key}. ${label}`),
  )
  fc.assert(
    fc.property(fc.array(line), (above) => {
      expect(optionsIn([...above, ...own], option)).toMatchObject([
        { key: '1', label: 'Yes', isMarked: true, line: above.length },
        { key: '2', label: 'Yes, always', isMarked: false },
        { key: '3', label: 'No', isMarked: false },
      ])
    }),
  )
})

describe('options', () => {
  test('may be explained by lists of their own', () => {
    expect(labels(['❯ 1. Blue', '     1. calm', '  2. Red', '     2. loud', '  3. None'])).toEqual([
      'Blue',
      'Red',
      'None',
    ])
  })

  test('may stand a little askew', () => {
    expect(labels([' ❯ 1. Yes', '  2. Yes, always', '   3. No'])).toHaveLength(3)
  })

  test.each([
    ['without a mark', ['1. Yes', '2. No']],
    ['that do not count up', ['❯ 1. Yes', '  3. No']],
    ['that do not begin', ['❯ 2. Yes', '  3. No']],
    ['where one is said twice', ['❯ 1. Yes', '  2. Yes', '  2. No']],
    ['of nothing', []],
  ])('%s are none', (_, lines) => {
    expect(labels(lines)).toEqual([])
  })

  test('of a dialog that only colours one', () => {
    expect(countedIn(['1. a', '1. Red', '2. Blue'], option).map(({ label }) => label)).toEqual(['Red', 'Blue'])
  })
})

test('the lowest line tells which dialog it is', () => {
  const dialogs = [
    { name: 'plan', pattern: /proceed\?/ },
    { name: 'permission', pattern: /^Do you want/ },
  ]
  expect(lowestOf(dialogs, ['echo "Would you like to proceed?"', 'Do you want to run it?', ''])?.name).toBe(
    'permission',
  )
  expect(lowestOf(dialogs, ['Do you want'])?.name).toBe('permission')
  expect(lowestOf(dialogs, ['something', ''])).toBeNull()
})
