import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addBlock, takeBlock } from './text-block.ts'

const block = '<!-- rein:begin -->\nListen.\n<!-- rein:end -->\n'

test('stands at the end, after an empty line', () => {
  expect(addBlock('# Rules\n', ['Listen.'])).toBe(`# Rules\n\n${block}`)
  expect(addBlock(null, ['Listen.', 'Listen.'])).toBe(block)
  expect(addBlock('# Rules\r\n', ['Listen.'])).toBe(`# Rules\r\n\r\n${block.replaceAll('\n', '\r\n')}`)
})

test('is taken out wherever somebody moved it', () => {
  expect(takeBlock(`# Rules\n\n${block}# More\n`)).toBe('# Rules\n# More\n')
})

test.each([
  ['no end', 'a\n<!-- rein:begin -->\nb\n', 2],
  ['no beginning', 'a\nb\n<!-- rein:end -->\n', 3],
  ['the wrong order', '<!-- rein:end -->\n<!-- rein:begin -->\n', 1],
  ['two beginnings', `<!-- rein:begin -->\n${block}`, 1],
])('marks with %s are refused: what is between them may be anybody’s', (_, text, line) => {
  expect(() => takeBlock(text)).toThrow(expect.objectContaining({ place: { line, column: 1 } }))
})

test('what was there comes out again', () => {
  const lines = fc.array(fc.constantFrom('# Rules', '', 'text', ' <!-- rein:begin -->', '<!-- other -->'), {
    maxLength: 6,
  })
  const property = fc.property(lines, fc.constantFrom('\n', '\r\n'), (some, eol) => {
    const text = ['top', ...some, ''].join(eol)
    expect(takeBlock(addBlock(text, ['Listen.\nAlways.']))).toBe(text)
  })
  fc.assert(property)
})
