import { expect, test } from 'vitest'
import { drivers, findDriver } from './registry.ts'

test('each driver has a name of its own and is found by it', () => {
  for (const driver of drivers) expect(findDriver(driver.name)).toBe(driver)
  expect(new Set(drivers.map(({ name }) => name)).size).toBe(drivers.length)
})

test('an unknown one is refused, with those that are known', () => {
  expect(() => findDriver('hal')).toThrow(
    expect.objectContaining({ code: 'unknown_driver', hint: expect.stringContaining('claude') }),
  )
})
