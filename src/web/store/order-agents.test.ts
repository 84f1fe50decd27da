import { expect, test } from 'vitest'
import type { AgentView } from '../../contract/routes/agents.ts'
import { countByNeed, orderAgents } from './order-agents.ts'

const question = { id: 'q', kind: 'permission', tool: 'Bash', input: {}, summary: 'npm test' } as const
const agent = (handle: string, state: AgentView['state'], more: Partial<AgentView> = {}): AgentView =>
  ({ handle, project: 'shop', state, since: 0, question: null, ...more }) as AgentView

const team = [
  agent('zoe', 'idle'),
  agent('ben', 'stopped'),
  agent('cleo', 'working'),
  agent('dan', 'crashed'),
  agent('eva', 'limited'),
  agent('fay', 'awaiting_permission', { question, since: 2 }),
  agent('gus', 'working', { question, since: 1 }),
  agent('ada', 'idle'),
]

test('who needs a person first is first; a held call counts, whatever the agent does', () => {
  expect(orderAgents(team).map(({ handle }) => handle)).toEqual([
    'gus',
    'fay',
    'dan',
    'eva',
    'cleo',
    'ada',
    'zoe',
    'ben',
  ])
})

test('rows of equal need stay in place whoever worked last', () => {
  const before = orderAgents([agent('a', 'idle', { since: 1 }), agent('b', 'idle', { since: 2 })])
  const after = orderAgents([agent('a', 'idle', { since: 9 }), agent('b', 'idle', { since: 2 })])
  expect(after.map(({ handle }) => handle)).toEqual(before.map(({ handle }) => handle))
})

test('counts what is there', () => {
  expect(countByNeed(team)).toEqual([
    { word: 'asking', count: 2 },
    { word: 'down', count: 1 },
    { word: 'limited', count: 1 },
    { word: 'working', count: 1 },
    { word: 'idle', count: 2 },
    { word: 'stopped', count: 1 },
  ])
})
