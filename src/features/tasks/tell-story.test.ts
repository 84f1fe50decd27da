import { expect, test } from 'vitest'
import { agentRef, anAgent, aRecord, aTurn, now, owner } from '../../../test/support/builders.ts'
import { startLog, type TestLog } from '../../../test/support/in-process-log.ts'
import { turnRecords } from '../../../test/support/turn-records.ts'
import type { Story } from '../../contract/routes/story.ts'
import type { SessionParts } from '../sessions/parts.ts'
import { findTarget, isSessionName } from '../sessions/target.ts'
import type { TaskParts } from './parts.ts'
import { story } from './tell-story.ts'

const agent = anAgent()

const tell = ({ log, db }: TestLog, target: string): Promise<Story> => {
  const supervisor = { agents: [agent], get: () => agent }
  const finder = { project: async () => agentRef.project }
  const services = { log, finder, reader: db, now: () => now, tasks: { find: () => null }, supervisor }
  const parts = services as unknown as SessionParts
  const sessions = {
    findTarget: (input: { target: string; cwd: string }) => findTarget(parts, input),
    isSessionName: (name: string) => isSessionName(parts, name),
  }
  return story({ ...services, sessions } as unknown as TaskParts, owner, { cwd: '/', target })
}

const born = aRecord('agent.created', { agent }, { at: now })

test('what was pruned before an agent was made is no part of its story', async () => {
  const testLog = startLog()
  const other = aRecord('agent.created', { agent: anAgent({ id: 'agt_2', handle: 'other' }) }, { agent: 'agt_2' })
  await testLog.log.append([other, aTurn('old', now - 2), born, aTurn('new')])
  await testLog.log.prune('turns', now - 1)
  const { isCut, moments } = await tell(testLog, agentRef.handle)
  expect([isCut, moments.map(({ text }) => text)]).toEqual([false, ['prompt new']])
})

test('an agent whose beginning is pruned has a story that is cut', async () => {
  const testLog = startLog()
  await testLog.log.append([born, ...turnRecords({ turn: 'old', at: now }), aTurn('new', now + 2)])
  await testLog.log.prune('turns', now + 1)
  expect(await tell(testLog, agentRef.handle)).toMatchObject({ isCut: true, moments: [{ text: 'prompt new' }] })
})

test('a session that an agent has left and of which no turn is left ends when the last began', async () => {
  const testLog = startLog()
  testLog.db
    .prepare('INSERT INTO session VALUES (?, ?, ?, 0, ?, ?, 0, ?)')
    .run('ses_1', agentRef.id, agentRef.project, now - 9, now - 5, 'gone')
  expect(await tell(testLog, 'ses_1')).toMatchObject({ to: now - 5, moments: [] })
})
