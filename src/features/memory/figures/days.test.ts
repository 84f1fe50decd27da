import { expect, test } from 'vitest'
import { Days, firstOf } from './days.ts'

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime()

test('every day is there, also one without commands, and days begin at midnight', () => {
  const days = new Days(at(28, 15), at(31, 1))
  days.add(at(28, 23), 'ok')
  days.add(at(28, 16), 'failed')
  days.add(at(31, 0), 'unknown')
  expect(days.view()).toEqual([
    { day: '2026-03-28', commands: 2, known: 2, failed: 1 },
    { day: '2026-03-29', commands: 0, known: 0, failed: 0 },
    { day: '2026-03-30', commands: 0, known: 0, failed: 0 },
    { day: '2026-03-31', commands: 1, known: 0, failed: 0 },
  ])
})

test('thirty days are thirty, with today', () => {
  const now = at(31, 1)
  expect(firstOf(1, now)).toBe(at(31, 0))
  expect(new Days(firstOf(30, now), now).view()).toHaveLength(30)
})
