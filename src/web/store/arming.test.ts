import fc from 'fast-check'
import { expect, test } from 'vitest'
import { armFor, type Arming, armsAfterMs, armsInMs } from './arming.ts'

test('a button is armed 700 ms after its text changed last', () => {
  const first = armFor(null, 'rm -rf build', 1_000)
  expect(armsInMs(first, 1_000)).toBe(700)
  expect(armsInMs(first, 1_699)).toBe(1)
  expect(armsInMs(first, 1_700)).toBe(0)
  const same = armFor(first, 'rm -rf build', 5_000)
  expect(armsInMs(same, 5_000)).toBe(0)
  const other = armFor(same, 'rm -rf /', 5_000)
  expect(armsInMs(other, 5_699)).toBe(1)
})

test('whatever was shown before, a text arms in 700 ms, and any other one disarms', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(900)))
  fc.assert(
    fc.property(steps, fc.nat(699), (given, early) => {
      let now = 0
      let arming: Arming | null = null
      for (const [text, later] of given) arming = armFor(arming, text, (now += later))
      const shown = armFor(arming, 'new', now)
      expect(armsInMs(armFor(shown, 'new', now + early), now + early)).toBe(armsAfterMs - early)
      const armed = armFor(shown, 'new', now + armsAfterMs)
      expect(armsInMs(armed, now + armsAfterMs)).toBe(0)
      expect(armsInMs(armFor(armed, 'other', now + armsAfterMs), now + armsAfterMs)).toBe(armsAfterMs)
    }),
  )
})

test('a clock that is set back does not keep it off for longer', () => {
  const arming = armFor(null, 'a', 1_000_000)
  expect(armsInMs(arming, 0)).toBe(700)
})
