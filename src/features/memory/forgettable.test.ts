import { expect, test } from 'vitest'
import { finderOf } from './forgettable.ts'

const kept = {
  command: './login.sh ÄPFEL',
  output: 'bad word sesame-street',
  cwd: '/w/hidden-place',
  branch: 'feature/quiet',
  edited: '["src/plan.ts"]',
}

test.each([
  ['äpfel', 'command'],
  ['a\u0308pfel', 'command'],
  ['Sesame-Street', 'output'],
  ['hidden-place', 'cwd'],
  ['quiet', 'branch'],
  ['plan.ts', 'edited'],
  ['', 'command'],
  ['nowhere', null],
  ['./LOGIN*äpfel', 'command'],
  ['*sesame*', null],
  ['login*', null],
])('%j is found in %s', (pattern, part) => {
  expect(finderOf(pattern)(kept)).toBe(part)
})

test('what is not known has nothing in it', () => {
  expect(finderOf('x')({ command: 'ls', output: null, cwd: null, branch: null, edited: null })).toBeNull()
})
