import { expect, test } from 'vitest'
import { hasMessage } from './message.ts'

test.each([
  'git commit -m "fix: the cart"',
  'git add . && git commit -am wip',
  'git -C shop commit --message=wip',
  'jj describe -m x',
])('%s has a message', (command) => {
  expect(hasMessage(command)).toBe(true)
})

test.each([
  'git commit',
  'git commit --amend --no-edit',
  'git branch -m main',
  'python -m pytest',
  'make commit -m',
  '',
])('%s has none', (command) => {
  expect(hasMessage(command)).toBe(false)
})
