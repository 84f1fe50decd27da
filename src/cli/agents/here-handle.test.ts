import fc from 'fast-check'
import { expect, test } from 'vitest'
import { handlePattern } from '../../contract/handle.ts'
import { handleFor } from './here-handle.ts'

test.each([
  ['my-project', 'my-project'],
  ['My Project (2)', 'my-project-2'],
  ['_hidden', 'hidden'],
  ['…', 'agent'],
])('%s becomes %s', (name, handle) => {
  expect(handleFor(name)).toBe(handle)
})

test('it is always a handle', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(handleFor(name)).toMatch(handlePattern)
    }),
  )
})
