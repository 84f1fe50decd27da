import { expect, test } from 'vitest'
import { stream } from './stream.ts'

const conversation = 'a1111111-2222-4333-8444-555555555555'
const lineOf = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })
const update = (sessionUpdate: string): string =>
  lineOf({ method: 'session/update', params: { sessionId: conversation, update: { sessionUpdate } } })
const opened = lineOf({ id: `rein:open:resume:${conversation}`, result: { modes: {} } })

/** As a real one tells it: the history goes on after the conversation is open. */
const resumed = [
  update('user_message_chunk'),
  opened,
  update('agent_message_chunk'),
  update('tool_call'),
  update('available_commands_update'),
]

const states = (lines: string[]): string[] => {
  const session = stream(() => Promise.resolve())
  return lines
    .flatMap((line) => session.receive(line))
    .flatMap((event) => (event.kind === 'state' ? [event.state] : []))
}

test('a resumed conversation is told again, which is no work', () => {
  expect(states(resumed)).toEqual(['idle'])
})

test('what comes afterwards is', () => {
  const prompt = lineOf({ id: 'rein:prompt:1', result: { stopReason: 'end_turn' } })
  expect(states([...resumed, update('agent_message_chunk'), prompt])).toEqual(['idle', 'working', 'idle'])
})

test('a new conversation has no history', () => {
  const fresh = lineOf({ id: 'rein:open:new:1', result: { sessionId: conversation } })
  expect(states([fresh, update('agent_message_chunk')])).toEqual(['idle', 'working'])
})
