import { expect, test } from 'vitest'
import { keySequence } from './key.ts'

test.each([
  ['alt-n', "'\\en'", '\\en'],
  ['ctrl-g', "'\\C-g'", '\\cg'],
  ['shift-tab', "'\\e[Z'", '\\e\\[Z'],
])('%s is what a terminal sends', (key, others, fish) => {
  expect(keySequence('bash', key)).toBe(others)
  expect(keySequence('zsh', key)).toBe(others)
  expect(keySequence('fish', key)).toBe(fish)
})

test.each(['bash', 'ctrl-c', 'ctrl-m', 'alt-', 'alt-nn', "alt-'", ''])('%j is none', (key) => {
  expect(() => keySequence('bash', key)).toThrow('is no key')
})
