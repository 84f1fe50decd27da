import { describe, expect, test } from 'vitest'
import { expression } from './regex.ts'

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
