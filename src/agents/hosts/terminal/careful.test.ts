import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScreenReading } from '../../../drivers/contract.ts'
import { harmless, postponementOf, refusalOf } from './careful.ts'
import type { Condition } from './screen.ts'

const quietMs = 30_000
const text = 'Rein: there is something.'
const fine: Condition = { isDead: false, isScrolled: false, typedMsAgo: null }
const empty: ScreenReading = { kind: 'idle', draft: '' }
const dialog: ScreenReading = {
  kind: 'dialog',
  name: 'trust',
  asks: 'question',
  about: '',
  text: 'Trust?',
  options: [],
}

const refusal = (reading: ScreenReading, condition: Partial<Condition> = {}) =>
  refusalOf(text, reading, { ...fine, ...condition }, quietMs)

describe('typing', () => {
  test.each([
    ['an empty input box', empty, {}],
    ['a person who typed long ago', empty, { typedMsAgo: quietMs }],
    ['the text itself, from before', { kind: 'idle', draft: 'Rein: there is\n  something.' }, {}],
  ] as const)('goes on with %s', (_, reading, condition) => {
    expect(refusal(reading, condition)).toBeNull()
  })

  test.each([
    ['dialog_open', dialog, {}],
    ['human_typing', dialog, { typedMsAgo: 1 }],
    ['human_typing', empty, { typedMsAgo: 29_999 }],
    ['draft', { kind: 'idle', draft: 'my own words' }, {}],
    ['draft', { kind: 'idle', draft: '[Pasted text #2 +29 lines]' }, {}],
    ['copy_mode', empty, { isScrolled: true }],
    ['pane_dead', empty, { isDead: true, isScrolled: true }],
    ['not_ready', { kind: 'busy', draft: '' }, {}],
    ['not_ready', { kind: 'unknown' }, {}],
  ] as const)('is refused: %s (%j, %j)', (reason, reading, condition) => {
    expect(refusal(reading, condition)).toBe(reason)
  })

  test('nobody is waited for where the quiet time is none', () => {
    expect(refusalOf(text, empty, { ...fine, typedMsAgo: 0 }, 0)).toBeNull()
  })
})

describe('a turn that can wait', () => {
  const draft: ScreenReading = { kind: 'idle', draft: 'my own words' }

  test.each([
    ['human_typing', empty, { typedMsAgo: 29_999 }],
    ['human_typing', dialog, { typedMsAgo: 1 }],
    ['copy_mode', empty, { isScrolled: true }],
    ['draft', draft, { typedMsAgo: 299_999 }],
  ] as const)('waits: %s', (reason, reading, condition) => {
    expect(postponementOf(reading, { ...fine, ...condition }, quietMs)).toBe(reason)
  })

  test.each([
    ['nobody is there', empty, {}],
    ['somebody was there', empty, { typedMsAgo: 30_000 }],
    ['what stands there nobody typed', draft, {}],
    ['a draft was left behind', draft, { typedMsAgo: 300_000 }],
    ['nothing would be typed anyway', dialog, {}],
  ] as const)('does not wait where %s', (_, reading, condition) => {
    expect(postponementOf(reading, { ...fine, ...condition }, quietMs)).toBeNull()
  })
})

const anything = fc.string({ unit: fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCharCode(code)) })

test('no control byte is left, and nothing else is taken', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const clean = harmless(given)
      expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u)
      expect(clean.replaceAll('\n', '')).toBe(given.replaceAll(/[^\P{Cc}\t]/gu, ''))
    }),
  )
  expect(harmless('a\r\nb\rc\u001b[2\u001b[201~01~')).toBe('a\nb\nc[2[201~01~')
})
