import { expect, test } from 'vitest'
import { RateLimit } from './rate.ts'

const start = (perMinute: number) => {
  const clock = { now: 1_000_000 }
  const rates = new RateLimit(perMinute, () => clock.now)
  /** How many of so many pass. */
  const pass = (sender: string, count: number): number =>
    Array.from({ length: count }, () => rates.passes(sender)).filter(Boolean).length
  return { clock, pass }
}

test('a minute’s worth at once, then as fast as it comes back', () => {
  const { clock, pass } = start(6)
  expect(pass('ada', 10)).toBe(6)
  clock.now += 9_999
  expect(pass('ada', 1)).toBe(0)
  clock.now += 1
  expect(pass('ada', 3)).toBe(1)
  clock.now += 3_600_000
  expect(pass('ada', 10)).toBe(6)
})

test('one does not use up what another has', () => {
  const { pass } = start(2)
  expect([pass('ada', 5), pass('bob', 5), pass('ada', 1)]).toEqual([2, 2, 0])
})

test('refused ones do not make it longer, and a clock that goes back gives nothing away', () => {
  const { clock, pass } = start(1)
  expect(pass('ada', 100)).toBe(1)
  clock.now -= 600_000
  expect(pass('ada', 1)).toBe(0)
  clock.now += 60_000
  expect(pass('ada', 1)).toBe(1)
})

test('a flood of made-up names makes it forget the oldest, not those that are at it', () => {
  const { pass } = start(1)
  expect([pass('old', 1), pass('busy', 1)]).toEqual([1, 1])
  for (let n = 0; n < 9_999; n += 1) {
    pass(`name ${n}`, 1)
    if (n % 1_000 === 0) pass('busy', 1)
  }
  expect([pass('busy', 1), pass('old', 1)]).toEqual([0, 1])
})
