import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from '../../../contract/outcome.ts'
import { Sessions } from './conduct.ts'
import { Arm, failedDifference } from './trial.ts'

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('the difference is that of all commands, not of conversations', () => {
  const advised = [{ failed: 10, known: 100 }, ...times(5, { failed: 0, known: 20 })]
  const heldOut = times(5, { failed: 4, known: 40 })
  expect(failedDifference(advised, heldOut)?.points).toBeCloseTo(100 * (10 / 200 - 20 / 200))
})

test('few conversations say nothing, however many commands they have', () => {
  const many = times(100, { failed: 10, known: 100 })
  expect(failedDifference(times(4, { failed: 500, known: 10_000 }), many)).toBeNull()
  expect(failedDifference(many, times(4, { failed: 500, known: 10_000 }))).toBeNull()
})

test('commands of one conversation belong together: the more unlike these are, the less is known', () => {
  const heldOut = times(20, { failed: 2, known: 20 })
  const alike = times(20, { failed: 1, known: 20 })
  const unlike = Array.from({ length: 20 }, (_, index) => ({ failed: index % 5 === 0 ? 5 : 0, known: 20 }))
  const width = (of: { low: number; high: number } | null): number => (of === null ? NaN : of.high - of.low)
  expect(failedDifference(alike, heldOut)?.high).toBeLessThan(0)
  expect(failedDifference(unlike, heldOut)?.high).toBeGreaterThan(0)
  expect(width(failedDifference(unlike, heldOut))).toBeGreaterThan(width(failedDifference(alike, heldOut)))
})

test('no failure at all is no certainty', () => {
  const none = times(5, { failed: 0, known: 3 })
  const found = failedDifference(none, none)
  expect(found?.points).toBe(0)
  expect(found?.high).toBeGreaterThan(5)
})

const someEnds = fc
  .tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([known, share]) => ({ known, failed: Math.round(known * share) }))
const someArm = fc.array(someEnds, { minLength: 5, maxLength: 40 })

test('the interval has the difference in it, and no order matters', () => {
  fc.assert(
    fc.property(someArm, someArm, (one, other) => {
      const found = failedDifference(one, other)
      const back = failedDifference(other.toReversed(), one.toReversed())
      if (found === null || back === null) throw new Error('there are enough')
      expect(found.low).toBeLessThanOrEqual(found.points)
      expect(found.high).toBeGreaterThanOrEqual(found.points)
      expect(Math.abs(found.points)).toBeLessThanOrEqual(100)
      expect(found.low).toBeCloseTo(-back.high, 6)
      expect(found.points).toBeCloseTo(-back.points, 6)
    }),
  )
})

/** The interval of the difference must have the truth in it about 95 times of 100, also with few conversations. */
test.each([5, 10, 40])('%d conversations on each side: the interval is honest', (count) => {
  let seed = 7
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const conversation = () => {
    const rate = random() < 0.5 ? 0.02 : 0.16
    const known = 5 + Math.floor(random() * 60)
    return { known, failed: Array.from({ length: known }, random).filter((draw) => draw < rate).length }
  }
  const rounds = 400
  const arm = () => Array.from({ length: count }, conversation)
  const hits = Array.from({ length: rounds }, () => failedDifference(arm(), arm()))
  const covered = hits.filter((found) => found !== null && found.low <= 0 && found.high >= 0).length / rounds
  expect(covered).toBeGreaterThan(0.92)
  expect(covered).toBeLessThan(0.995)
})

test('what a sub-agent ran belongs to its conversation', () => {
  const arm = new Arm()
  const add = (session: string, outcome: Outcome): void => {
    const command = {
      author: 'claude',
      session,
      text: 'ls',
      outcome,
      durationMs: 1,
      outputChars: 0,
      isAfterEdit: false,
      isWrongTool: null,
    }
    arm.add(command, new Sessions().place(command))
  }
  for (const session of ['c1', 'c1/sub', 'c2']) add(session, 'ok')
  add('c3', 'background')
  expect(arm.ends).toEqual([
    { failed: 0, known: 2 },
    { failed: 0, known: 1 },
  ])
})
