import { expect, test } from 'vitest'
import { person } from '../../../test/support/builders.ts'
import { startTaskWorld } from '../../../test/support/task-world.ts'
import type { AgentState } from '../../contract/agent.ts'
import { orchestrate } from './orchestrate.ts'

/** A task whose lead is gone, and cannot be replaced: there is no such CLI. */
const takeOver = async (member: AgentState) => {
  const { services, cwd, project, running, agent, tasks } = await startTaskWorld()
  agent('parser-lead', { state: 'looping' })
  agent('parser-1', { state: member })
  await running('parser', 'parser-lead', 'parser-1')
  const launch = { host: 'stream' as const, drivers: ['claude'], models: {}, env: { PATH: cwd } }
  const input = { cwd, name: 'parser', agents: 1, takeOver: true, save: false, launch }
  const failed = await orchestrate(services, person, input).catch((cause: unknown) => cause)
  return { failed, state: tasks.get(project, 'parser').state }
}

test('a task goes on without a lead where somebody works on it', async () => {
  expect(await takeOver('working')).toEqual({
    failed: expect.objectContaining({
      message: expect.stringContaining('parser-lead was not started'),
      hint: 'Fix that, then run: rein orchestrate parser --take-over',
    }),
    state: 'running',
  })
})

test('else it is stopped', async () => {
  expect(await takeOver('stopped')).toMatchObject({
    failed: { hint: 'Fix that, then run: rein orchestrate parser' },
    state: 'stopped',
  })
})
