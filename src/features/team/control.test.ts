import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../test/support/any-text.ts'
import { asReinError } from '../../contract/errors.ts'
import { parseControl } from './control.ts'

test.each([
  ['register room:x', { kind: 'register', subject: 'room:x' }],
  ['  unregister   bus:task-* ', { kind: 'unregister', subject: 'bus:task-*' }],
  ['register hub:backend', { kind: 'register', subject: 'hub:backend' }],
  ['set-interval 300', { kind: 'interval', seconds: 300 }],
  ['set-interval 0', { kind: 'interval', seconds: 0 }],
  ['register-chat x', { kind: 'register', subject: 'room:x' }],
  ['unregister-chat x', { kind: 'unregister', subject: 'room:x' }],
  ['register-bus task-failed', { kind: 'register', subject: 'bus:task-failed' }],
  ['unregister-bus task-failed', { kind: 'unregister', subject: 'bus:task-failed' }],
  ['register-hub backend', { kind: 'register', subject: 'hub:backend' }],
  ['unregister-hub backend', { kind: 'unregister', subject: 'hub:backend' }],
  ['set-poll-interval 60', { kind: 'interval', seconds: 60 }],
  ['\\register room:x', { kind: 'register', subject: 'room:x' }],
  ['\\rein-register-chat x', { kind: 'register', subject: 'room:x' }],
  ['# register room:x', null],
  ['', null],
  [' \t', null],
])('%j', (line, control) => {
  expect(parseControl(line)).toEqual(control)
})

test.each([
  ['regster room:x', /no "regster"; did you mean register\?/],
  ['toString room:x', /no "toString"/],
  ['register', /register what/],
  ['register room:x room:y', /"room:y" is too much/],
  ['register room:x\nunregister room:y', /too much/],
  ['register rom:x', /no "rom"; did you mean room\?/],
  ['register backend', /Write room:NAME or bus:NAME or hub:NAME/],
  ['register room:', /is no name/],
  ['register-chat .nbs/chat/live.chat', /".nbs\/chat\/live.chat" is no name/],
  ['register room:General', /"General" is no name/],
  ['set-interval soon', /"soon" is no interval/],
  ['set-interval -1', /no interval/],
  ['set-interval 1.5', /no interval/],
  ['set-interval 86401', /no interval/],
  ['\\nbs-register-chat x', /did you mean register-chat\?/],
])('%j is wrong', (line, message) => {
  expect(() => parseControl(line)).toThrow(message)
})

/** What is said against a line; nothing if it is fine. */
const complaint = (line: string): string => {
  try {
    parseControl(line)
    return ''
  } catch (error) {
    const { code, message } = asReinError(error)
    return `${code} ${message}`
  }
}

test('whatever it is given, it answers or says what is wrong in printable words', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('', 'register ', 'set-interval ', 'register room:'), (text, start) => {
      expect(complaint(`${start}${text}`)).toMatch(/^(usage \P{Cc}+)?$/u)
    }),
  )
})
