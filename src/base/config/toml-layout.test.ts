import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { layoutOf, positionOf } from './toml-layout.ts'

const entries = (text: string): [string, string][] => {
  parse(text)
  return layoutOf(text).entries.map(({ path, valueStart, valueEnd }) => [
    path.join('/'),
    text.slice(valueStart, valueEnd),
  ])
}

describe('entries', () => {
  test.each([
    ['a = 1', [['a', '1']]],
    ['a=1#x', [['a', '1']]],
    ['  a . b\t=\t"x"  # c\r\n', [['a/b', '"x"']]],
    [`"a.b".'c d' = true`, [['a.b/c d', 'true']]],
    ['a = "# [x] \\" = 1" # c', [['a', '"# [x] \\" = 1"']]],
    [
      "a = '\\'\nb = 2",
      [
        ['a', "'\\'"],
        ['b', '2'],
      ],
    ],
    [
      'a = """\n[t]\nb = 1\n\\""""""\nc = 2',
      [
        ['a', '"""\n[t]\nb = 1\n\\""""""'],
        ['c', '2'],
      ],
    ],
    [
      "a = '''\n[t]\n''' \nc = 2",
      [
        ['a', "'''\n[t]\n'''"],
        ['c', '2'],
      ],
    ],
    [
      'a = [ # ]\n "]", [1, 2],\n]\nb = 3',
      [
        ['a', '[ # ]\n "]", [1, 2],\n]'],
        ['b', '3'],
      ],
    ],
    ['a = { b = "}", c = [1] } # d', [['a', '{ b = "}", c = [1] }']]],
    ['a = 1979-05-27 07:32:00Z # d', [['a', '1979-05-27 07:32:00Z']]],
    ['\uFEFFa = 1', [['a', '1']]],
    [
      '[t]\na = 1\n[ t . "u" ] # c\nb = 2\n[[v]]\nc = 3',
      [
        ['t/a', '1'],
        ['t/u/b', '2'],
        ['v/c', '3'],
      ],
    ],
    ['# only a comment', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(entries(text)).toEqual(expected)
  })
})

test('tables end where their header does', () => {
  const text = '[a] # first\n[[ b.c ]]\n'
  expect(layoutOf(text).tables).toEqual([
    { path: ['a'], isArray: false, headerEnd: 3 },
    { path: ['b', 'c'], isArray: true, headerEnd: 21 },
  ])
})

test('a text that is no TOML at all comes to an end too', () => {
  for (const text of ['=', ']', '[', '"', "a = '''", 'a = [', '\0', 'a', 'é = 1']) expect(layoutOf(text)).toBeDefined()
})

test('positions count from one', () => {
  expect([0, 1, 2, 4].map((offset) => positionOf('a\nbc', offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 2, column: 3 },
  ])
})
