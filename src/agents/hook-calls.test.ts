import { expect, test } from 'vitest'
import { startSupervised } from '../../test/support/supervised.ts'
import { contextBudget, type Responder } from '../contract/hooks.ts'
import { HookCalls } from './hook-calls.ts'

test('what fails when a reply was lost is written down, ends nothing, and keeps nothing else from being undone', async () => {
  const { agent } = startSupervised({ state: 'working', host: 'tmux' })
  const { id, conversation } = agent.agent
  const trouble: unknown[] = []
  const undone: string[] = []
  const others = { channels: { channels: { noteMode: () => undefined } } }
  const calls = new HookCalls({
    supervisor: { find: () => agent },
    outside: { identify: (_: unknown, call: unknown) => call },
    canaries: { hears: () => false },
    journal: { write: (_: string, { reason }: { reason?: string }) => reason !== undefined && trouble.push(reason) },
    settings: { 'inbox.context_budget': contextBudget },
    others: { ...others, memory: { conclude: () => undefined }, rules: { conclude: () => undefined } },
  } as never)
  const failing: Responder = {
    name: 'inbox',
    events: ['stop'],
    deadlineMs: 1000,
    respond: () => ({
      goOn: [{ from: 'inbox', text: 'One more thing.' }],
      onLost: [
        () => {
          throw new Error('A watcher failed.')
        },
        () => void undone.push('second'),
      ],
    }),
  }
  calls.responders = [failing]
  const answer = await calls.answerHook('claude', {}, { native: 'Stop', agent: id, pid: 4711, conversation }, null)
  expect(agent.agent.state).toBe('working')
  answer?.lost()
  expect(trouble).toEqual(['the reply came too late', 'what was in the reply: A watcher failed.'])
  expect([undone, agent.agent.state]).toEqual([['second'], 'idle'])
})
