import { expect, test } from 'vitest'
import { anAgent, onPhone } from '../../../test/support/builders.ts'
import { AgentFinder } from '../../agents/identity/finder.ts'
import { resume } from './handlers.ts'
import type { AgentParts } from './parts.ts'

test('those that crashed are brought back: of the project that is named, else all', async () => {
  const agents = [
    anAgent({ id: 'agt_1', handle: 'ada', project: 'shop-000001', state: 'crashed' }),
    anAgent({ id: 'agt_2', handle: 'bob', project: 'api-000002', state: 'crashed' }),
    anAgent({ id: 'agt_3', handle: 'eva', project: 'shop-000001', state: 'stopped' }),
  ]
  const parts = {
    finder: new AgentFinder({
      supervisor: { agents, get: () => null },
      projects: { known: [], placesOf: () => [], of: () => expect.unreachable() },
    }),
    supervisor: { agents, get: () => null, resume: async () => ({ state: 'idle' }) },
    environment: { of: () => ({}) },
    others: { sessions: { isMoving: () => false } },
  } as unknown as AgentParts
  const resumed = async (here: { project: string } | { cwd: string }) =>
    (await resume(parts, onPhone, here)).map(({ handle }) => handle)
  expect(await resumed({ project: 'shop' })).toEqual(['ada'])
  expect(await resumed({ cwd: '/somewhere' })).toEqual(['ada', 'bob'])
  await expect(resumed({ project: 'shup' })).rejects.toMatchObject({ code: 'not_found' })
})
