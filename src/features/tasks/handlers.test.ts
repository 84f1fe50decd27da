import { expect, test } from 'vitest'
import { person } from '../../../test/support/builders.ts'
import { startTaskWorld } from '../../../test/support/task-world.ts'
import { finish, show } from './handlers.ts'

test('a task that is done once more leaves alone who went on to another one', async () => {
  const { services, cwd, running, agent, did } = await startTaskWorld()
  await running('parser', 'ada', 'bob')
  const input = { cwd, name: 'parser', force: false }
  await finish(services, person, input)
  await running('lexer', 'ada')
  agent('ada')
  agent('bob')
  expect((await show(services, person, input)).problems).toEqual(['bob runs, but the task is done: rein down bob'])
  did.length = 0
  expect((await finish(services, person, input)).problems).toEqual([])
  expect(did).toEqual(['down bob', 'release bob', 'ack bob'])
})
