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

test('whatever is shown when, it is armed only if the same was shown for all of the last 700 ms', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(900)), { minLength: 1 })
  fc.assert(
    fc.property(steps, (given) => {
      let now = 0
      let arming: Arming | null = null
      const seen: { text: string; at: number }[] = []
      for (const [text, later] of given) {
        now += later
        arming = armFor(arming, text, now)
        seen.push({ text, at: now })
        const others = seen.filter((one) => one.text !== text).map(({ at }) => at)
        const begin = seen.find(({ at }, index) => at >= (others.at(-1) ?? 0) && index >= lastOther(seen, text))
        expect(armsInMs(arming, now) === 0).toBe(now - (begin?.at ?? now) >= armsAfterMs)
      }
    }),
  )
})

const lastOther = (seen: readonly { text: string }[], text: string): number =>
  seen.findLastIndex((one) => one.text !== text) + 1

test('a clock that is set back does not keep it off for longer', () => {
  const arming = armFor(null, 'a', 1_000_000)
  expect(armsInMs(arming, 0)).toBe(700)
})
