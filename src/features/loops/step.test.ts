import { describe, expect, test } from 'vitest'
import { drivers, findDriver } from '../../drivers/registry.ts'
import { kindOf } from '../../drivers/tool-kinds.ts'
import { callOf } from './step.ts'

const isWait = (driver: string, name: string): boolean =>
  callOf(findDriver(driver), { id: null, name, input: {} }, '/').isWait

describe.each(drivers)('$name', (driver) => {
  test('a tool waits if its driver says so', () => {
    const names = Object.keys({ ...driver.tools.told, ...driver.tools.own })
    expect(names.filter((name) => isWait(driver.name, name))).toEqual(
      names.filter((name) => ['wait', 'poll'].includes(kindOf(driver, name))),
    )
  })

  test('a tool that nobody knows does not', () => {
    expect(isWait(driver.name, 'NewTool')).toBe(false)
  })
})

test.each([
  ['claude', 'TaskOutput'],
  ['codex', 'write_stdin'],
  ['codex', 'wait_agent'],
  // As its hooks call it.
  ['codex', 'multi_agent_v1wait_agent'],
  ['copilot', 'read_bash'],
  ['copilot', 'read_agent'],
  ['gemini', 'read_background_output'],
])('%s waits with %s', (driver, name) => {
  expect(isWait(driver, name)).toBe(true)
})
