import { expect, test } from 'vitest'
import { anAgent, anEntry } from '../../test/support/builders.ts'
import { claude } from '../drivers/claude/driver.ts'
import type { AgentWatcher } from './agent-events.ts'
import { AgentConversation } from './conversation/agent-conversation.ts'
import type { AgentPorts } from './ports.ts'
import { CurrentAgent } from './state/current-agent.ts'
import { LostEnd } from './state/lost-end.ts'

test('every event reaches those who watch for it, in the order in which they were connected', () => {
  const heard: string[] = []
  const watcher = (name: string): AgentWatcher => ({
    onEntry: ({ handle }, { id }) => heard.push(`${name} ${handle} entry ${id}`),
    onRead: () => heard.push(`${name} read`),
    onNewContext: () => heard.push(`${name} new context`),
    onChange: (_, before, { type }) => heard.push(`${name} ${before?.handle ?? 'new'} ${type}`),
  })
  const watchers: AgentWatcher[] = []
  const ports = {
    watchers,
    now: () => 0,
    newId: (prefix: string) => `${prefix}_1`,
    append: async () => undefined,
    driver: () => claude,
    onTrouble: () => undefined,
  } as unknown as AgentPorts
  const current = new CurrentAgent(anAgent({ handle: 'ada' }), ports, () => undefined)
  const conversation = new AgentConversation(current, new LostEnd(), ports)
  conversation.onRead()
  watchers.push(watcher('first'), {}, watcher('second'))
  conversation.onEntry(anEntry({ id: 'e1' }))
  conversation.onRead()
  conversation.loseContext()
  current.note('agent.paused', { isPaused: true, isCutOff: false, reason: null })
  expect(heard).toEqual([
    'first ada entry e1',
    'second ada entry e1',
    'first read',
    'second read',
    'first new context',
    'second new context',
    'first ada agent.paused',
    'second ada agent.paused',
  ])
})
