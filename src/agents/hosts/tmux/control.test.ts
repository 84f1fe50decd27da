import { expect, test } from 'vitest'
import { isGone } from './control.ts'

test.each([
  ['tmux: no server running on /tmp/x', true],
  ['tmux: error connecting to /tmp/x (No such file or directory)', true],
  ['tmux: error connecting to /tmp/x (Connection refused)', true],
  ['tmux: error connecting to /tmp/x (Permission denied)', false],
  ['tmux: error connecting to /tmp/x (Resource temporarily unavailable)', false],
])('%s: gone is %s', (complaint, expected) => {
  expect(isGone(complaint)).toBe(expected)
})
