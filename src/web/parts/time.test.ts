import { expect, test } from 'vitest'
import { clockTime, timeText } from './time.ts'

const at = (year: number, day: number, hour: number): number => new Date(year, 10, day, hour).getTime()
const now = at(2026, 20, 1)

test('a time of today is a clock time, any other has its date', () => {
  expect(timeText(at(2026, 20, 0), now)).toBe('00:00:00')
  expect(timeText(at(2026, 19, 23), now)).toMatch(/19.*, 23:00:00$/)
  expect(timeText(at(2026, 21, 0), now)).toMatch(/21.*, 00:00:00$/)
})

test('one of another year has its year', () => {
  expect(timeText(at(2026, 19, 23), now)).not.toContain('2026')
  expect(timeText(at(2025, 20, 1), now)).toMatch(/2025.*, 01:00:00$/)
  expect(timeText(at(2025, 20, 1), now)).toContain(clockTime(at(2025, 20, 1)))
})
