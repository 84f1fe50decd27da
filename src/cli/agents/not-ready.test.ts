import { expect, test } from 'vitest'
import type { AgentView } from '../../contract/routes/agents.ts'
import { notReady } from './not-ready.ts'

const question = { id: 'screen:trust:1', kind: 'question' as const, tool: 'trust', input: {}, summary: 'Trust?' }
const agent = (more: Partial<AgentView>): AgentView =>
  ({ handle: 'ada', project: 'shop', cwd: '/shop', question: null, ...more }) as AgentView

test('a dialog at the start', () => {
  expect(notReady(agent({ state: 'awaiting_answer', question }), '/shop')).toMatchObject({
    exitCode: 4,
    message: 'ada is not ready: it asks something at its start (trust). Answer it as shown above.',
    hint: 'See all that it shows: rein answer ada',
  })
})

test('nothing that says it is ready', () => {
  expect(notReady(agent({ state: 'starting' }), '/shop')).toMatchObject({
    exitCode: 4,
    hint: 'Look at it: rein attach ada',
  })
})

test.each(['idle', 'working', 'limited'] as const)('%s is ready', (state) => {
  expect(notReady(agent({ state }), '/shop')).toBeNull()
})

test('what the model asks in its first turn is no matter of the start', () => {
  expect(notReady(agent({ state: 'awaiting_answer', question: { ...question, id: 'toolu_1' } }), '/shop')).toBeNull()
})

test('a CLI that is not logged in', () => {
  const login = { ...question, id: 'login', tool: 'login', why: 'Log in: claude auth login' }
  expect(notReady(agent({ state: 'awaiting_answer', question: login }), '/shop')).toMatchObject({
    message: 'ada is started, but its CLI is not logged in.',
    hint: 'Log in: claude auth login',
  })
})
