import { expect, test } from 'vitest'
import { startTaskWorld } from '../../../test/support/task-world.ts'
import { attach } from '../agents/handlers.ts'
import { taskLayout } from './task-layout.ts'

test('a name that is both a task and an agent means the task; the agent has its full name', async () => {
  const { services, agentParts, cwd, project, running, agent } = await startTaskWorld()
  agentParts.others.tasks.layout = (input) => taskLayout(services, input)
  for (const handle of ['parser', 'ada', 'bob']) agent(handle, { host: 'tmux' })
  await running('parser', 'ada', 'bob')
  const commandFor = async (target: string): Promise<string> =>
    (await attach(agentParts, { target, cwd })).command?.join(' ') ?? ''
  expect(await commandFor('parser')).toMatch(/agt_ada.*agt_bob/)
  expect(await commandFor(`${project}/parser`)).toContain('agt_parser')
})
