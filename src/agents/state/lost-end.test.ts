import { expect, test } from 'vitest'
import { aCall, anAgent, now } from '../../../test/support/builders.ts'
import type { AgentState } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { LostEnd } from './lost-end.ts'

const text: TurnBlock = { type: 'text', text: 'Done.' }
const tool: TurnBlock = { type: 'tool_use', id: 't', name: 'Bash', input: {} }

const entry = (kind: ConversationEntry['kind'], blocks: TurnBlock[] = [text]): ConversationEntry => ({
  id: 'e1',
  parent: null,
  link: 'chain',
  kind,
  at: now,
  message: null,
  calledBy: null,
  isReply: kind === 'assistant',
  text: '',
  blocks,
  usage: null,
  raw: {},
})

const agentIn = (state: AgentState, host: 'stream' | 'tmux' = 'stream') => anAgent({ state, host, since: now })
const none = (): boolean => false
const some = (): boolean => true

/** Whether the end is found after this, so many seconds later, while the disk is full or not. */
const isFound = (hear: (end: LostEnd) => void, seconds: number, hasRoom: () => boolean, agent = agentIn('working')) => {
  const end = new LostEnd()
  hear(end)
  end.look(agent, hasRoom, now)
  return end.look(agent, some, now + seconds * 1000) !== null
}

const stop = (end: LostEnd): void => end.heardHook(aCall({ event: 'stop' }), false, now)
const lastReply = (end: LostEnd): void => end.heardEntry(entry('assistant'), now)

test('a stop hook or a last reply ends a turn of which the stream says nothing more', () => {
  for (const hear of [stop, lastReply]) {
    expect(isFound(hear, 4, none)).toBe(true)
    expect(isFound(hear, 31, some)).toBe(true)
  }
})

test('nothing is believed against a stream that has only just been silent, or had room all the time', () => {
  expect(isFound(stop, 1, none)).toBe(false)
  expect(isFound(stop, 20, some)).toBe(false)
  const spoke = (end: LostEnd): void => {
    stop(end)
    end.heardStream(now + 3000)
  }
  expect(isFound(spoke, 4, none)).toBe(false)
})

test.each<[string, (end: LostEnd) => void]>([
  ['nobody says that it is over', () => undefined],
  ['it was kept from stopping', (end) => end.heardHook(aCall({ event: 'stop' }), true, now)],
  ['a tool is called after it', (end) => (stop(end), end.heardHook(aCall({ event: 'before_tool' }), false, now))],
  ['a prompt came after it', (end) => (lastReply(end), end.heardEntry(entry('prompt'), now))],
  ['the reply calls a tool', (end) => end.heardEntry(entry('assistant', [text, tool]), now)],
  ['a reply calls a tool next', (end) => (lastReply(end), end.heardEntry(entry('assistant', [tool]), now))],
  ['a sub-agent stops', (end) => end.heardHook(aCall({ event: 'stop', subagent: { id: 's', type: '' } }), false, now)],
])('a turn goes on if %s', (_, hear) => {
  expect(isFound(hear, 3600, none)).toBe(false)
})

test('what was said of one turn counts for no other', () => {
  const end = new LostEnd()
  stop(end)
  expect(end.look(agentIn('idle'), none, now)).toBeNull()
  expect(end.look(agentIn('working'), none, now + 3_600_000)).toBeNull()
})

test('only a headless agent at work has a stream to lose something', () => {
  expect(isFound(stop, 3600, none, agentIn('working', 'tmux'))).toBe(false)
  expect(isFound(stop, 3600, none, agentIn('idle'))).toBe(false)
})
