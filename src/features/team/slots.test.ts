import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextDue, slotAt } from './slots.ts'

const owner = fc.record({ key: fc.string({ minLength: 1, maxLength: 8 }), createdAt: fc.nat() })
const intervalMs = fc.integer({ min: 60_000, max: 7 * 86_400_000 })

test('slots follow each other, each within its jitter, the first never early', () => {
  fc.assert(
    fc.property(owner, intervalMs, fc.nat({ max: 10_000 }), (given, interval, count) => {
      const now = given.createdAt + count * interval
      const due = nextDue(given, interval, now)
      const slot = slotAt(given, interval, due)
      expect(slot?.dueAt).toBe(due)
      expect(due).toBeGreaterThan(now)
      expect(Math.abs(due - (slot?.slot ?? 0))).toBeLessThanOrEqual(Math.min(120_000, interval / 4) + 1)
      expect(slotAt(given, interval, due - 1)?.slot ?? given.createdAt).toBe((slot?.slot ?? 0) - interval)
      expect(nextDue(given, interval, due)).toBe(slot?.nextAt)
    }),
  )
})

test('there is none before a full interval has passed', () => {
  fc.assert(
    fc.property(owner, intervalMs, fc.integer(), (given, interval, passed) => {
      const now = given.createdAt + Math.min(passed, interval - 1)
      expect(slotAt(given, interval, now)).toBeNull()
      expect(nextDue(given, interval, now)).toBeGreaterThanOrEqual(given.createdAt + interval)
    }),
  )
})

test('rooms that were made together are not asked together', () => {
  const dues = ['a', 'b', 'c', 'd'].map((key) => nextDue({ key, createdAt: 0 }, 900_000, 0))
  expect(new Set(dues).size).toBe(4)
})
