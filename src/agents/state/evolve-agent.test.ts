import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodies, history } from '../../../test/support/arbitraries.ts'
import { anAgent, aRecord, now } from '../../../test/support/builders.ts'
import { Agent, isAlive } from '../../contract/agent.ts'
import type { AnyRecord, RecordBody, RecordType } from '../../contract/record.ts'
import { evolve, isAgentRecord } from './evolve-agent.ts'

const step = <T extends Extract<RecordType, `agent.${string}`>>(
  agent: Agent,
  type: T,
  body: RecordBody<T>,
  at = now,
) => {
  const record: AnyRecord = { ...aRecord(type, body, { at }), seq: 1 }
  return isAgentRecord(record) ? evolve(agent, record) : undefined
}
const evidence = { source: 'stream' as const }
const question = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: {}, summary: 'Bash: ls' }

test('a launch begins anew: another process, no question, nothing counted', () => {
  const before = anAgent({ state: 'crashed', question, stopBlocks: 3, interruptedAt: now, process: null })
  const [body] = fc.sample(bodies['agent.launched'], 1)
  const after = step(before, 'agent.launched', body as RecordBody<'agent.launched'>, now + 9)
  expect(after).toMatchObject({ state: 'starting', since: now + 9, question: null, stopBlocks: 0, interruptedAt: null })
  expect(after).toMatchObject({ process: body?.process, conversation: body?.conversation, cwd: body?.cwd })
})

test('a state has its time, its evidence and its question; the same state again keeps its time', () => {
  const working = anAgent({ state: 'working', since: now })
  const waiting = step(working, 'agent.state', { state: 'awaiting_permission', evidence, question }, now + 5)
  expect(waiting).toMatchObject({ state: 'awaiting_permission', since: now + 5, question, evidence })
  const again = step(
    waiting as Agent,
    'agent.state',
    { state: 'awaiting_permission', evidence, question: null },
    now + 8,
  )
  expect(again).toMatchObject({ since: now + 5, question: null })
})

test.each(['stopped', 'crashed'] as const)('%s has no process', (state) => {
  expect(step(anAgent(), 'agent.state', { state, evidence, question: null })?.process).toBeNull()
})

test('what is known of it is kept, one thing at a time', () => {
  const agent = anAgent()
  expect(step(agent, 'agent.stop_blocked', { count: 2 })).toEqual({ ...agent, stopBlocks: 2 })
  expect(step(agent, 'agent.interrupted', { evidence }, now + 1)).toEqual({ ...agent, interruptedAt: now + 1 })
  expect(step(agent, 'agent.conversation', { conversation: 'c', transcript: '/t', evidence })).toEqual({
    ...agent,
    conversation: 'c',
    transcript: '/t',
  })
  expect(step(agent, 'agent.foreign', { conversation: 'c', pid: 1, event: 'Stop' })).toEqual(agent)
})

test('any history: an agent is always whole, and only a living one has a process', () => {
  fc.assert(
    fc.property(history, (records) => {
      let agent: Agent | undefined
      for (const record of records.map((one, index): AnyRecord => ({ ...one, seq: index + 1 }))) {
        if (!isAgentRecord(record) || record.type === 'agent.created') continue
        agent = evolve(agent ?? anAgent({ process: null, state: 'stopped' }), record)
        expect(Agent.parse(agent)).toEqual(agent)
        expect(agent?.process == null || isAlive(agent.state)).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})

test('what is about nobody is nothing', () => {
  const record: AnyRecord = { ...aRecord('agent.interrupted', { evidence }), seq: 1 }
  expect(isAgentRecord(record) && evolve(undefined, record)).toBeUndefined()
})
