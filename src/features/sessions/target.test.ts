import { expect, test, vi } from 'vitest'
import { agentRef, anAgent, now } from '../../../test/support/builders.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import type { Agent } from '../../contract/agent.ts'
import { newRecord } from '../../contract/record.ts'
import type { SessionParts } from './parts.ts'
import { findConversation } from './store.ts'
import { findRested, findTarget, isSessionName } from './target.ts'

/** An agent that a move before this one has just started again. */
const startingAgent = async () => {
  const { log, db } = startLog()
  let agent: Agent = anAgent({ state: 'starting', conversation: 'before' })
  const { id, project } = agentRef
  const stamp = { id: 'r1', at: now, actor: { kind: 'daemon' }, agent: id, project } as const
  for (const conversation of ['before', 'now']) {
    const body = { turn: conversation, conversation, prompt: 'Hi', entry: conversation }
    await log.append([newRecord('turn.started', body, { ...stamp, id: conversation })])
  }
  const leaves = vi.fn<() => Promise<void>>(
    async () => void (agent = { ...agent, state: 'working', conversation: 'now' }),
  )
  const supervisor = {
    get agents() {
      return [agent]
    },
    get: () => agent,
    agent: () => ({ leaves }),
  }
  const finder = { named: async () => agent }
  return { parts: { supervisor, finder, reader: db, now: () => now } as unknown as SessionParts, leaves }
}

const input = { target: anAgent().handle, cwd: '/p' }

test('an agent that is starting is waited for, and seen as it is then', async () => {
  const { parts, leaves } = await startingAgent()
  const { agent, from } = await findRested(parts, { ...input, stop: false })
  expect(agent.state).toBe('working')
  expect(from.conversation).toBe('now')
  expect(leaves).toHaveBeenCalledWith('starting', expect.any(Number))
})

test('one that may be stopped need not have started', async () => {
  const { parts, leaves } = await startingAgent()
  expect((await findRested(parts, { ...input, stop: true })).agent.state).toBe('starting')
  expect(leaves).not.toHaveBeenCalled()
})

test('a session is found by the beginning of its digits, which may also stand alone', async () => {
  const { parts } = await startingAgent()
  const id = findConversation(parts.reader, 'now')?.session ?? ''
  const digits = id.replace('ses_', '')
  for (const target of [id, digits, digits.slice(0, 4), id.slice(0, 8)]) {
    expect((await findTarget(parts, { ...input, target })).session.row.id).toBe(id)
    expect(isSessionName(parts, target)).toBe(true)
  }
  for (const target of ['0000', digits.slice(0, 3), input.target]) expect(isSessionName(parts, target)).toBe(false)
})
