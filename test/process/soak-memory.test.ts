import { describe, expect, test } from 'vitest'
import { mallocMiB } from '../soak/gauge.ts'
import { growthPercent } from '../soak/growth.ts'

const looksAt = (...mib: number[]) => mib.map((one, index) => ({ at: index * 60_000, mib: one }))

describe('memory grows', () => {
  test('by what it grows from look to look', () => {
    expect(growthPercent(looksAt(100, 105, 110, 115, 120))).toBeCloseTo(20)
    expect(growthPercent(looksAt(100, 95, 90))).toBeCloseTo(-10)
  })

  test('not by what is there at one look alone, be it the first or the last', () => {
    expect(growthPercent(looksAt(100, 100, 100, 100, 130))).toBeCloseTo(0)
    expect(growthPercent(looksAt(80, 100, 100, 100, 100))).toBeCloseTo(0)
    expect(growthPercent(looksAt(100, 130, 100, 100, 100))).toBeCloseTo(0)
  })

  test('not at all where nobody looked twice', () => {
    expect([growthPercent([]), growthPercent(looksAt(100))]).toEqual([0, 0])
  })
})

test('what malloc has are the heap of the process and its arenas, not the pages of V8', () => {
  const mapping = (range: string, mode: string, residentKiB: number, name = '') =>
    `${range} ${mode} 00000000 00:00 0 ${name}\nSize:               4 kB\nRss:            ${residentKiB} kB\nVmFlags: rd\n`
  const smaps = [
    mapping('00400000-05000000', 'r-xp', 40_960, '/usr/bin/node'),
    mapping('2a000000-2c000000', 'rw-p', 1_024, '                         [heap]'),
    mapping('13c000000000-13c000040000', 'rw-p', 256),
    mapping('7f0000000000-7f0000200000', 'rw-p', 2_048),
    mapping('7f0000200000-7f0004000000', '---p', 0),
    mapping('7f0004000000-7f0004040000', 'rw-p', 256),
    mapping('7f0008000000-7f000c000000', 'rw-p', 4_096),
  ].join('')
  expect(mallocMiB(smaps)).toBe(1 + 2 + 4)
})
