import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSetting } from './lookup.ts'
import { type Setting, settings } from './settings.ts'
import { checkValue, expectation, formatValue, parseValue } from './value.ts'

const setting = (key: string): Setting => {
  const found = findSetting(key)
  if (found === undefined) throw new Error(`no setting ${key}`)
  return found
}

describe('a value from a shell', () => {
  test.each([
    ['hooks.deadline_ms', '250', 250],
    ['hooks.deadline_ms', ' 250 ', 250],
    ['hooks.deadline_ms', '1.5s', 1500],
    ['inbox.ack_deadline_s', '15m', 900],
    ['team.checkin_minutes', '1.5h', 90],
    ['sessions.keep_days', '7d', 7],
    ['sessions.max_bytes', '4GiB', 4 * 1024 ** 3],
    ['context.rotate_at', '0.5', 0.5],
    ['memory.feed', 'off', false],
    ['memory.feed', '1', true],
    ['memory.feed', 'TRUE', true],
    ['hooks.transport', 'http', 'http'],
    ['agents.model', 'opus', 'opus'],
    ['agents.model', '', null],
    ['claude.path', '/opt/日本/claude code', '/opt/日本/claude code'],
  ])('%s takes "%s"', (key, text, value) => {
    expect(parseValue(setting(key), text)).toEqual({ ok: true, value })
  })

  test.each([
    ['hooks.deadline_ms', '0x100', 'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds'],
    ['hooks.deadline_ms', '1e3', 'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds'],
    ['hooks.deadline_ms', '99.5', 'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds'],
    ['hooks.deadline_ms', '10001', 'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds'],
    ['hooks.deadline_ms', '', 'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds'],
    [
      'inbox.ack_deadline_s',
      '0.5s',
      expect.stringMatching(/^a duration from \S+ to \S+, .*; a plain number is seconds$/),
    ],
    ['sessions.max_bytes', '10m', 'a size of at least 1MiB, like 64KiB or 4GiB; a plain number is bytes'],
    ['context.rotate_at', '1.1', 'a number from 0 to 1'],
    ['memory.feed', 'maybe', 'true or false'],
    ['memory.feed', 'constructor', 'true or false'],
    ['hooks.transport', 'HTTP', 'one of socket, http'],
    ['agents.policy', '', 'a line of text'],
    ['claude.path', '/bin/\u001b[31mclaude', 'a line of text, or "" for none'],
    ['agents.model', 'two\nlines', 'a line of text, or "" for none'],
  ])('%s does not take "%s"', (key, text, expected) => {
    expect(parseValue(setting(key), text)).toEqual({ ok: false, expected })
  })

  test('whatever is taken is a value of its type, and whatever is not is answered with what was expected', () => {
    fc.assert(
      fc.property(fc.constantFrom(...settings), fc.string({ unit: 'binary' }), (each, text) => {
        const checked = parseValue(each, text)
        const again = checked.ok ? checkValue(each, checked.value ?? '') : { ok: false, expected: expectation(each) }
        expect(again).toEqual(checked)
      }),
    )
  })
})

test.each([
  ['inbox.ack_deadline_s', 900, '15m'],
  ['sessions.max_bytes', 4 * 1024 ** 3, '4GiB'],
  ['agents.model', null, '-'],
  ['memory.feed', true, 'true'],
])('%s is shown as people write it', (key, value, text) => {
  expect(formatValue(setting(key), value)).toBe(text)
})

describe('a value from TOML', () => {
  test('a duration is a text with its unit', () => {
    expect(checkValue(setting('inbox.ack_deadline_s'), '15m')).toEqual({ ok: true, value: 900 })
  })

  test.each([
    ['hooks.deadline_ms', '250'],
    ['hooks.deadline_ms', Number.NaN],
    ['hooks.deadline_ms', [250]],
    ['context.rotate_at', Number.POSITIVE_INFINITY],
    ['memory.feed', 1],
    ['agents.model', 5],
    ['agents.model', null],
    ['agents.model', new Date(0)],
  ])('%s does not take %j', (key, value) => {
    expect(checkValue(setting(key), value).ok).toBe(false)
  })
})
