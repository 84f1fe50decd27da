import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDuration, readSize, writeDuration, writeSize } from './units.ts'

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['10m', 600_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  [' 2 h ', 7_200_000],
])('%s is a duration', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})

test.each([
  ['512B', 512],
  ['64KiB', 65_536],
  ['4GiB', 4 * 1024 ** 3],
  ['1.5MiB', 1_572_864],
  ['4G', 4 * 1024 ** 3],
  ['100 mb', 100 * 1024 ** 2],
])('%s is a size', (text, bytes) => {
  expect(readSize(text)).toBe(bytes)
})

test.each(['', '10', 'm', '-1m', '10x', '1e3s', '1h30m', '10constructor', '99999999999999999d'])(
  '%j is none',
  (text) => {
    expect([readDuration(text), readSize(text)]).toEqual([null, null])
  },
)

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 45 }), (value) => {
      expect(readDuration(writeDuration(value))).toBe(value)
      expect(readSize(writeSize(value))).toBe(value)
    }),
  )
  expect([writeDuration(900_000), writeDuration(90_000), writeSize(4 * 1024 ** 3), writeSize(1000)]).toEqual([
    '15m',
    '90s',
    '4GiB',
    '1000B',
  ])
})
