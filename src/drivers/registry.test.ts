import { expect, test } from 'vitest'
import { drivers, findDriver } from './registry.ts'
import { isAtLeast } from './version.ts'

test('each driver has a name of its own and is found by it', () => {
  for (const driver of drivers) expect(findDriver(driver.name)).toBe(driver)
  expect(new Set(drivers.map(({ name }) => name)).size).toBe(drivers.length)
})

test('each driver asks for hooks that it can decode, in its oldest version too', () => {
  for (const { hooks, minVersion } of drivers) {
    expect(isAtLeast(minVersion, minVersion)).toBe(true)
    for (const native of hooks.events(minVersion)) {
      const call = hooks.decode({}, { native, agent: null, pid: null, conversation: null })
      expect(call.event).not.toBe('other')
    }
  }
})

test('an unknown one is refused, with those that are known', () => {
  expect(() => findDriver('hal')).toThrow(
    expect.objectContaining({ code: 'unknown_driver', hint: expect.stringContaining('claude') }),
  )
})
