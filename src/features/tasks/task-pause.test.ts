import { expect, test } from 'vitest'
import { person } from '../../../test/support/builders.ts'
import { startTaskWorld } from '../../../test/support/task-world.ts'
import { pause, unpause } from './task-pause.ts'
import { start, stop } from './handlers.ts'
import { up } from './team-up.ts'

const launch = { host: 'stream' as const, drivers: ['claude'], models: {}, env: {} }

/** An agent at work that was told of the pause, and has not read it. */
const pausedAtWork = async () => {
  const world = await startTaskWorld()
  const { services, cwd, agent, running, team, toldTypes } = world
  agent('ada', { state: 'working', request: { cwd, env: {}, args: [] } })
  await running('parser', 'ada')
  team['ada'] = {}
  const input = { cwd, name: 'parser' }
  await pause(services, person, { ...input, now: false })
  expect(toldTypes('ada')).toEqual(['task-paused'])
  return { ...world, input }
}

test('who is unpaused is not told of the pause any more', async () => {
  const { services, input, toldTypes, did } = await pausedAtWork()
  await unpause(services, person, input)
  expect([toldTypes('ada'), did]).toEqual([['note'], ['pause ada', 'unpause ada']])
})

test('neither is one that was stopped meanwhile, when it is started again', async () => {
  const { services, input, toldTypes, did } = await pausedAtWork()
  await stop(services, person, { ...input, force: false })
  await start(services, person, { ...input, launch })
  expect([toldTypes('ada'), did.slice(-2)]).toEqual([['note'], ['unpause ada', 'resume ada']])
})

test('nor one that comes up with its team', async () => {
  const { services, cwd, input, toldTypes, did } = await pausedAtWork()
  await stop(services, person, { ...input, force: false })
  await up(services, person, { cwd, launch })
  expect([toldTypes('ada'), did.slice(-2)]).toEqual([[], ['unpause ada', 'resume ada']])
})
