import { expect, test } from 'vitest'
import { anAgent, anEntry, aRecord } from '../../test/support/builders.ts'
import { AgentEvents, type AgentWatcher } from './agent-events.ts'

test('every event reaches those who watch for it, in the order in which they were connected', () => {
  const heard: string[] = []
  const watcher = (name: string): AgentWatcher => ({
    onEntry: ({ handle }, { id }) => heard.push(`${name} ${handle} entry ${id}`),
    onRead: () => heard.push(`${name} read`),
    onNewContext: () => heard.push(`${name} new context`),
    onChange: (_, before, { type }) => heard.push(`${name} ${before?.handle ?? 'new'} ${type}`),
  })
  const events = new AgentEvents()
  const agent = anAgent({ handle: 'ada' })
  events.emitRead(agent)
  events.connect([watcher('first'), {}, watcher('second')])
  events.emitEntry(agent, anEntry({ id: 'e1' }))
  events.emitRead(agent)
  events.emitNewContext(agent)
  events.emitChange(agent, null, aRecord('agent.paused', { isPaused: true, isCutOff: false, reason: null }))
  expect(heard).toEqual([
    'first ada entry e1',
    'second ada entry e1',
    'first read',
    'second read',
    'first new context',
    'second new context',
    'first new agent.paused',
    'second new agent.paused',
  ])
})
