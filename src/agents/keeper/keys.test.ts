import { expect, test } from 'vitest'
import { keyBytes } from './keys.ts'

test.each([
  ['Enter', '\r'],
  ['Escape', '\u001b'],
  ['Down', '\u001b[B'],
  ['C-c', '\u0003'],
  ['C-b', '\u0002'],
  ['1', '1'],
  ['é', 'é'],
])('%s', (name, bytes) => {
  expect(keyBytes(name, false)).toBe(bytes)
})

test('arrows as the program asked for them', () => {
  expect(keyBytes('Right', true)).toBe('\u001bOC')
})

test.each(['Return', '', '\u001b', 'C-', 'ab'])('there is no key %j', (name) => {
  expect(() => keyBytes(name, false)).toThrow('There is no key')
})
