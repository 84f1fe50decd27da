import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextIn, contextText, formatGoOn, isGoOn, splitOutput } from './hook-text.ts'

/** What the CLI makes of context before the model and the transcript get it. */
const written = (text: string): string => {
  const context = contextText([{ from: 'inbox', text }])
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return `<hook_context>${context}</hook_context>`
}

const text = fc
  .array(fc.constantFrom('<', '>', '&', 'lt;', 'gt;', 'amp;', '\n', 'a', '"'))
  .map((parts) => parts.join(''))

test('context is read as it was given, whatever is in it', () => {
  fc.assert(
    fc.property(text, fc.string(), (given, output) => {
      expect(contextIn(written(given))).toBe(given)
      expect(splitOutput(`${output}\n\n${written(given)}`)).toEqual({ output, context: given })
    }),
  )
})

test('what looks like it in the middle of something else is no context', () => {
  expect(contextIn(`hello ${written('x')}`)).toBeNull()
  expect(splitOutput(`${written('x')}\n</untrusted_context>`).context).toBeNull()
})

test('the model reads plain text as it is', () => {
  expect(contextText([{ from: 'inbox', text: 'a && b < c' }])).toBe('a && b < c')
})

test('what was said at a stop is known again', () => {
  expect(isGoOn(formatGoOn([{ from: 'inbox', text: 'Go on.' }]))).toBe(true)
  expect(isGoOn('Go on.')).toBe(false)
})
