import { describe, expect, test } from 'vitest'
import { readCommandLine } from './argv.ts'

describe('readCommandLine', () => {
  test('what follows -- is for the driver in `up`, and an argument elsewhere', () => {
    expect(readCommandLine(['up', 'a', '--', '--json', '--'])).toEqual({
      words: ['up', 'a'],
      driverArgs: ['--json', '--'],
      json: false,
    })
    expect(readCommandLine(['tell', 'a', '--', '-x'])).toEqual({
      words: ['tell', 'a', '--', '-x'],
      driverArgs: [],
      json: false,
    })
  })

  test('a value with line breaks stays with its flag', () => {
    expect(readCommandLine(['up', 'a', '--prompt=one\ntwo=2', '--system=x']).words).toEqual([
      'up',
      'a',
      '--prompt',
      'one\ntwo=2',
      '--system=x',
    ])
  })

  test('sees --json, also if the rest is wrong', () => {
    expect(readCommandLine(['nonsense', '--json']).json).toBe(true)
  })
})
