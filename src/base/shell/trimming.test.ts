import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalise } from './normalise.ts'
import { trimming } from './trimming.ts'

it.each([
  ['make', '', 'make', ''],
  ['cd a && make test 2>&1 | tail -20', 'cd a && ', 'make test', ' 2>&1 | tail -20'],
  ['make 2>&1', '', 'make', ' 2>&1'],
  ['ls | head -n 5', '', 'ls', ' | head -n 5'],
  ['head -5 a', '', 'head -5 a', ''],
  ['cd a', '', 'cd a', ''],
])('%j is taken apart', (text, before, core, after) => {
  expect(trimming(text)).toEqual({ before, core, after })
})

it('loses nothing', () => {
  fc.assert(
    fc.property(fc.string(), (source) => {
      const text = normalise(source)
      const { before, core, after } = trimming(text)
      expect(before + core + after).toBe(text)
    }),
  )
})
