import { expect, test } from 'vitest'
import { aCall } from '../../test/support/builders.ts'
import { emptyReply } from '../contract/hooks.ts'
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

test.each(drivers.map((driver) => [driver.name, driver] as const))(
  '%s tells the model why an input was rewritten, or says that it does not',
  (name, { hooks, minVersion }) => {
    const decision = { kind: 'rewrite', input: { command: 'mkdir -p a' }, reason: 'it is there' } as const
    const call = aCall({ driver: name, event: 'before_tool' })
    const answer = JSON.stringify(hooks.encode(call, { decision, context: [], goOn: [] }, minVersion))
    expect(answer).toContain('mkdir -p a')
    expect(answer.includes('it is there')).toBe(hooks.tellsRewrite)
  },
)

const noAsking = ['codex', 'opencode']

test.each(
  drivers
    .filter(({ name, hooks }) => !noAsking.includes(name) && hooks.asksOriginal !== true)
    .map((driver) => [driver.name, driver] as const),
)('%s asks about the call as it will run', (name, { hooks, minVersion }) => {
  const decision = { kind: 'ask', input: { command: 'ls -l' }, reason: 'sure?' } as const
  const answer = JSON.stringify(
    hooks.encode(aCall({ driver: name, event: 'before_tool' }), { ...emptyReply, decision }, minVersion),
  )
  expect(answer).toContain('"ask"')
  expect(answer).toContain('ls -l')
  expect(answer).toContain('sure?')
})

test.each(drivers.map((driver) => [driver.name, driver] as const))(
  '%s: a prompt that is refused, with the reason',
  (name, { hooks, minVersion }) => {
    const decision = { kind: 'deny', reason: 'No passwords.' } as const
    const reply = { ...emptyReply, decision, context: [{ from: 'inbox', text: 'Hello.' }] }
    const answer = JSON.stringify(hooks.encode(aCall({ driver: name, event: 'prompt' }), reply, minVersion))
    expect(answer).toContain('No passwords.')
    expect(answer.includes('Hello.')).toBe(name === 'opencode')
  },
)
