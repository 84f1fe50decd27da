import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSetting } from './lookup.ts'
import { type Setting, settings } from './settings.ts'
import { checkValue, expectation, parseValue } from './value.ts'

const setting = (key: string): Setting => {
  const found = findSetting(key)
  if (found === undefined) throw new Error(`no setting ${key}`)
  return found
}

describe('a value from a shell', () => {
  test.each([
    ['hooks.deadline_ms', '250', 250],
    ['hooks.deadline_ms', ' 250 ', 250],
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
    ['hooks.deadline_ms', '0x100', 'a whole number from 50 to 10000'],
    ['hooks.deadline_ms', '1e3', 'a whole number from 50 to 10000'],
    ['hooks.deadline_ms', '99.5', 'a whole number from 50 to 10000'],
    ['hooks.deadline_ms', '10001', 'a whole number from 50 to 10000'],
    ['hooks.deadline_ms', '', 'a whole number from 50 to 10000'],
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

describe('a value from TOML', () => {
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
