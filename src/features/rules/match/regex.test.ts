import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { expression, expressionProblem } from './regex.ts'

describe('expressions', () => {
  test('captures by number and by name, and each place', () => {
    const found = expression('(?P<key>\\w+)=(\\d+)?').find('a=1 b=')
    expect(found).toEqual({
      captures: { 0: 'a=1', 1: 'a', 2: '1', key: 'a' },
      spans: [
        { start: 0, end: 3 },
        { start: 4, end: 6 },
      ],
    })
  })

  test('flags', () => {
    expect(expression('^b.c$', 'ims').test('a\nB\nc')).toBe(true)
    expect(expression('^b.c$').test('a\nB\nc')).toBe(false)
  })

  test.each([
    ['rm -r [[:alnum:]./_-]+', 'rm -r build'],
    [String.raw`[^\]abc]x`, 'yx'],
    [String.raw`[\\]foo|bar[a]baz`, String.raw`\foo`],
    ['x[a[:b]y', 'x:y'],
    ['[+-[:a:]b|c]dd', 'ab'],
  ])('%s fits %s, however its classes begin', (pattern, text) => {
    expect(expression(pattern).test(text)).toBe(true)
  })

  test('it says what RE2 says, whatever stands in its classes', () => {
    const items = String.raw`[:alnum:] [:^digit:] [: [ ] ^ - :] : ab x | ( + \] \\ \[ \d \pN \x5d`.split(' ')
    const classes = fc
      .tuple(fc.constantFrom('[', '[^'), fc.array(fc.constantFrom(...items), { maxLength: 4 }))
      .map(([open, some]) => `${open}${some.join('')}]`)
    const other = fc.constantFrom('ab', 'foo', '-_', '|', ']', String.raw`\]`, '+', 'x?', '(ab|cd)')
    const words = fc.array(fc.constantFrom('ab', 'foo', 'x', 'cd', '-_', ':', '[', ']', '\\', '^', '9', ' ', 'dd'), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(classes, other), { minLength: 1, maxLength: 5 }), words, (parts, text) => {
        const pattern = parts.join('')
        fc.pre(expressionProblem(pattern) === null)
        expect(expression(pattern).test(text.join(''))).toBe(RE2JS.compile(pattern).test(text.join('')))
      }),
      { numRuns: 2000 },
    )
  })

  test('one place or all are replaced, with what was captured there', () => {
    const by = ({ 1: name = '' }: Record<string, string>): string => `<${name}$1>`
    expect(expression('(\\w)!').replace('a! b!', false, by)).toBe('<a$1> b!')
    expect(expression('(\\w)!').replace('a! b!', true, by)).toBe('<a$1> <b$1>')
    expect(expression('x').replace('a', true, by)).toBeNull()
    expect(expression('x*').replace('ab', true, () => '-')).toBe('-a-b-')
  })

  test('no expression takes more than linear time', () => {
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(.*)*b', 'a*a*a*a*a*a*c'])
      expect(expression(pattern).find(`${'a'.repeat(100_000)}!`)).toBeNull()
  })
})
