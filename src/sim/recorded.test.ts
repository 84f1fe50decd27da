import { expect, test } from 'vitest'
import { NOTHING_RECORDED, playRecorded, type RecordedReply } from './recorded.ts'
import type { Received } from './received.ts'
import { startSim } from './server.ts'

const tools = [{ name: 'Bash' }]
const asked = (given: Partial<Received> = {}): Received => ({
  model: 'm',
  stream: false,
  conversation: 'main',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'whatever' }] }],
  tools,
  schema: undefined,
  tokens: 1,
  ...given,
})
const says = (text: string): RecordedReply => [{ type: 'text', text }]
const from = (conversation: string, text: string): Received =>
  asked({ conversation, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] })

test('replies come in their order, whatever is asked; of a turn that is over none is left', () => {
  const { director, begin, tally } = playRecorded()
  begin([says('one'), says('two'), says('three')])
  expect(director(asked()).blocks).toMatchObject([{ type: 'text', text: 'one' }])
  expect(director(asked()).blocks).toMatchObject([{ text: 'two' }])
  expect(tally()).toEqual({ left: 1, unanswered: 0 })
  begin([says('four')])
  expect(director(asked()).blocks).toMatchObject([{ text: 'four' }])
  expect(tally()).toEqual({ left: 0, unanswered: 0 })
})

test('where the recording has nothing to say, the turn is ended, and that is counted', () => {
  const { director, begin, tally } = playRecorded()
  begin([])
  expect(director(asked())).toEqual({ kind: 'default', steps: [{ do: 'SAY', text: NOTHING_RECORDED }] })
  expect(tally()).toEqual({ left: 0, unanswered: 1 })
})

test('a side request takes no reply, nor does a compaction', () => {
  const { director, begin, tally } = playRecorded()
  begin([says('one')])
  expect(director(asked({ tools: [] })).kind).toBe('side')
  const compact = 'Your task is to create a detailed summary of the conversation so far'
  expect(director(from('main', compact)).kind).toBe('compaction')
  expect(tally()).toEqual({ left: 1, unanswered: 0 })
})

test('each sub-agent is answered from a conversation of its own', () => {
  const { director, begin, knows, tally } = playRecorded()
  knows([
    { prompt: 'Look for it', replies: [says('found')] },
    { prompt: 'Look for it', replies: [says('not found')] },
  ])
  begin([says('main')])
  director(asked())
  expect(director(from('a', 'Look for it')).blocks).toMatchObject([{ text: 'found' }])
  expect(director(from('b', 'Look for it')).blocks).toMatchObject([{ text: 'not found' }])
  expect(director(from('c', 'Look for it')).kind).toBe('default')
  expect(tally()).toEqual({ left: 0, unanswered: 1 })
})

test('a reply goes out with all its blocks and the recorded ids', async () => {
  const { director, begin } = playRecorded()
  const sim = await startSim({ director })
  begin([
    [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Both at once.' },
      { type: 'call', id: 'toolu_01abc', name: 'Bash', input: { command: 'ls' } },
      { type: 'call', id: 'other-7', name: 'Bash', input: { command: 'pwd' } },
    ],
  ])
  const body = JSON.stringify({ model: 'm', tools, messages: [{ role: 'user', content: 'x' }] })
  const response = await fetch(`${sim.url}/v1/messages`, { method: 'POST', body })
  const { content } = (await response.json()) as { content: unknown[] }
  expect(content).toMatchObject([
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'Both at once.' },
    { type: 'tool_use', id: 'toolu_01abc', input: { command: 'ls' } },
    { type: 'tool_use', id: 'toolu_01other-7', input: { command: 'pwd' } },
  ])
  await sim.close()
})
