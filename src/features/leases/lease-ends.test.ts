import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { agentRef, anAgent, aRecord } from '../../../test/support/builders.ts'
import type { AgentState } from '../../contract/agent.ts'
import { LeaseEnds } from './lease-ends.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** An agent that holds something, and what is released of it. */
const start = (first: AgentState) => {
  let agent = anAgent({ ...agentRef, state: first })
  const [released, moving] = [[] as string[], { isMoving: false }]
  const ends = new LeaseEnds({
    leases: {
      held: () => [{ holder: agentRef }],
      releaseAll: async (id: string) => released.push(id),
    },
    supervisor: { get: () => agent },
    isMoving: () => moving.isMoving,
    onTrouble: (cause: unknown) => expect.unreachable(String(cause)),
  } as unknown as ConstructorParameters<typeof LeaseEnds>[0])
  ends.start()
  onTestFinished(() => ends.stop())
  const become = (state: AgentState): void => {
    const before = agent
    agent = { ...agent, state }
    ends.onChange(agent, before, aRecord('agent.state', { state, evidence: { source: 'process' }, question: null }))
  }
  return { become, released, moving }
}

const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

test('an agent that is stopped holds nothing any more, when it is not only being restarted', async () => {
  const { become, released } = start('idle')
  become('stopped')
  await wait(9)
  become('starting')
  await wait(60)
  expect(released).toEqual([])
  become('stopped')
  await wait(11)
  expect(released).toEqual([agentRef.id])
})

test('one that has crashed keeps what it holds', async () => {
  const { become, released } = start('working')
  become('crashed')
  await wait(3600)
  expect(released).toEqual([])
})

test('one that goes to another place of its session keeps it, too, while it goes', async () => {
  const { become, released, moving } = start('idle')
  moving.isMoving = true
  become('stopped')
  await wait(60)
  expect(released).toEqual([])
  moving.isMoving = false
  await wait(11)
  expect(released).toEqual([agentRef.id])
})

test('what an earlier daemon came too late for is made up for', async () => {
  const { released } = start('stopped')
  await wait(11)
  expect(released).toEqual([agentRef.id])
})
