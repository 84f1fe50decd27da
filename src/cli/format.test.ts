import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellWidth } from './cells.ts'
import {
  alignColumns,
  formatAge,
  formatBytes,
  formatMinute,
  formatTable,
  formatTime,
  nameProjects,
  parseCount,
  parseDuration,
  parseMoment,
  parseSeconds,
  printable,
  shorten,
} from './format.ts'

describe('durations', () => {
  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each(['', '10', 'm', '-1m', '0s', '10x', '1e3s', '99999999999999999d'])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow('like 90s')
  })

  test('seconds need no unit', () => {
    expect([parseSeconds('30'), parseSeconds('0.5'), parseSeconds('2m')]).toEqual([30_000, 500, 120_000])
  })

  test.each(['', ' ', '-1', '1.5', 'x', '1e400'])('%j is no count', (text) => {
    expect(() => parseCount(text)).toThrow('whole number')
  })

  test.each([
    [-5, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [7_200_000, '2h'],
    [400_000_000, '4d'],
  ])('%i ms ago is %s', (ago, text) => {
    expect(formatAge(1e12 - ago, 1e12)).toBe(text)
  })

  test('another day has its date', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5).getTime()
    expect(formatTime(at, at + 1000)).toBe('03:04:05')
    expect(formatTime(at, at + 3 * 86_400_000)).toBe('2026-01-02 03:04:05')
    expect([formatMinute(at, at), formatMinute(at, 0)]).toEqual(['03:04', '2026-01-02 03:04'])
  })

  test.each([
    ['2h', 1e12 - 7_200_000],
    ['2026-01-02', new Date(2026, 0, 2).getTime()],
    ['2026-01-02T03:04', new Date(2026, 0, 2, 3, 4).getTime()],
    ['2026-01-02 03:04', new Date(2026, 0, 2, 3, 4).getTime()],
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ])('%s is a moment', (text, at) => {
    expect(parseMoment(text, 1e12)).toBe(at)
  })

  test.each(['', 'yesterday', '2026', '2026-13-01', '0h', '5x', 'Jan 2 2026'])('%j is none', (text) => {
    expect(() => parseMoment(text, 1e12)).toThrow(/^a (time|duration) is/)
  })
})

const anyText = fc.array(fc.nat(0x2ff)).map((codes) => String.fromCharCode(...codes))

describe('text from elsewhere', () => {
  test('cannot steer the terminal', () => {
    expect(printable('a\u001b[2Jb\u0007\u009b1m\r\nc\td')).toBe('a\\u{1b}[2Jb\\u{7}\\u{9b}1m\nc\td')
  })

  test('never holds a control character, and is never too long', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const short = shorten(text, limit)
        expect(Array.from(short).length).toBeLessThanOrEqual(limit)
        expect(short).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      }),
    )
  })

  test('is cut between characters', () => {
    expect(shorten('  one\n two 😀😀😀 ', 10)).toBe('one two 😀…')
  })
})

test('a table has columns of equal width', () => {
  expect(
    formatTable(
      ['A', 'LONG'],
      [
        ['wide one', 'x'],
        ['ö', ''],
      ],
    ),
  ).toBe('A         LONG\nwide one  x\nö')
})

test('what takes two cells, or none, is measured as it is shown', () => {
  const rows = [
    ['日本', 'x'],
    ['🚀', 'y'],
    ['e\u0301', 'z'],
  ]
  expect(formatTable(['NAME', 'B'], rows).split('\n')).toEqual(['NAME  B', '日本  x', '🚀    y', 'e\u0301     z'])
})

describe('in a terminal', () => {
  const rows = [
    ['dir_c21d0a7b', 'worker-1', 'Use the staging database, not the one that everybody else uses'],
    ['dir_00000001', 'w', '日本語のテキストはここで切られます'],
  ]

  test('the widest column gives way, by cells, and nothing is cut elsewhere', () => {
    expect(formatTable(['ID', 'HANDLE', 'TEXT'], rows, { columns: 40 }).split('\n')).toEqual([
      'ID            HANDLE    TEXT',
      'dir_c21d0a7b  worker-1  Use the staging…',
      'dir_00000001  w         日本語のテキス…',
    ])
    expect(formatTable(['ID', 'HANDLE', 'TEXT'], rows)).toContain('everybody else uses')
  })

  test('what is optional is left out first, so that the widest column stays readable', () => {
    const table = (columns: number): string[] =>
      formatTable(['ID', 'HANDLE', 'TEXT'], rows, { columns, optional: ['HANDLE'] }).split('\n')
    expect(table(44)[1]).toBe('dir_c21d0a7b  worker-1  Use the staging dat…')
    expect(table(40)[1]).toBe('dir_c21d0a7b  Use the staging database,…')
    expect(formatTable(['ID', 'HANDLE', 'TEXT'], rows, { optional: ['HANDLE'] })).toContain('worker-1')
  })

  test('colours go over padded cells', () => {
    const paint = (cell: string, column: number): string => (column === 1 ? `<${cell}>` : cell)
    expect(formatTable(['A', 'B', 'C'], [['1', '2', '3']], { paint })).toBe('A  B  C\n1  <2>  3')
  })

  test('no line is wider than the terminal', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ö', '日', '🚀', 'e\u0301') })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 9, maxLength: 9 })),
        fc.integer({ min: 4, max: 120 }),
        (table, columns) => {
          for (const line of alignColumns(table, { columns })) expect(cellWidth(line)).toBeLessThanOrEqual(columns)
        },
      ),
    )
  })
})

test('a project has its digits only beside another of its name', () => {
  const name = nameProjects(['shop-3cce40', 'shop-000001', 'blog-abcdef', 'plain'])
  expect(['shop-3cce40', 'blog-abcdef', 'plain'].map(name)).toEqual(['shop-3cce40', 'blog', 'plain'])
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1536 * 1024, '1.5 MiB'],
  [3 * 1024 ** 3, '3.0 GiB'],
  [2 ** 55, '32768.0 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
