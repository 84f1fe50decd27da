import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { oneLine, plainOutput } from './plain.ts'

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

describe('plainOutput', () => {
  test('takes colours and other escapes out', () => {
    expect(plainOutput('\u001b[1;31mERROR\u001b[0m\u001b(B no POM\u001b]0;title\u0007')).toBe('ERROR no POM')
  })

  test('shows of a progress line what was written last', () => {
    expect(plainOutput('Rebasing (1/2)\rRebasing (2/2)\rerror: could not apply\r\nhint')).toBe(
      'error: could not apply\nhint',
    )
  })

  test('leaves the name of a task before a line out', () => {
    expect(plainOutput('[lint:go] main.go:1:2: undefined: x')).toBe('main.go:1:2: undefined: x')
    expect(plainOutput('[ERROR] no POM')).toBe('[ERROR] no POM')
  })

  test('keeps the beginning and the end of a long output', () => {
    const plain = plainOutput(`first\n${'middle\n'.repeat(200_000)}last`)
    expect(plain.startsWith('first\n')).toBe(true)
    expect(plain.endsWith('\nlast')).toBe(true)
    expect(plain.length).toBeLessThan(20_000)
  })

  test('is bounded and free of control characters whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const plain = plainOutput(text)
        expect(plain).not.toMatch(control)
        expect(plain.split('\n').every((line) => line.length <= 500)).toBe(true)
      }),
    )
  })
})

describe('oneLine', () => {
  test('is one line of at most the length asked for, without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (text, limit) => {
        const line = oneLine(text, limit)
        expect(line.length).toBeLessThanOrEqual(limit)
        expect(line).not.toMatch(control)
        expect(line).not.toMatch(/[\n\t\r]/)
      }),
    )
  })

  test('says that something was cut', () => {
    expect(oneLine('one two three', 8)).toBe('one two…')
  })
})
