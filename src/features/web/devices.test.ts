import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeviceName } from '../../contract/device.ts'
import { freeName } from './devices.ts'

test('a name that is free stays, and one that is taken gets a number', () => {
  expect(freeName('phone', new Set())).toBe('phone')
  expect(freeName('phone', new Set(['phone']))).toBe('phone 2')
  expect(freeName('phone', new Set(['phone', 'phone 2']))).toBe('phone 3')
})

test('it is a name of its own, however long and however many have it', () => {
  const name = fc.stringMatching(/^[a-zé7][a-z ._é7]{0,39}$/).filter((text) => DeviceName.safeParse(text).success)
  fc.assert(
    fc.property(name, fc.integer({ min: 1, max: 12 }), (wanted, count) => {
      const taken = new Set<string>()
      for (let times = 0; times < count; times += 1) {
        const free = freeName(wanted, taken)
        expect([taken.has(free), DeviceName.safeParse(free).success]).toEqual([false, true])
        taken.add(free)
      }
    }),
  )
})
