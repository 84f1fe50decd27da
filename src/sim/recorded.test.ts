import { expect, test } from 'vitest'
import { nothingRecorded, playRecorded, type RecordedReply, type RecordedSpan } from './recorded.ts'
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
/** Said a second after each other, from then on. */
const span = (replies: RecordedReply[], since = 0, follows: string | null = null): RecordedSpan => ({
  replies,
  saidAt: replies.map((_, at) => since + at),
  follows,
  endedAt: since + replies.length,
})
const from = (conversation: string, text: string): Received =>
  asked({ conversation, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] })

test('replies come in their order, whatever is asked; of a turn that is over none is left', () => {
  const { director, knows, begin, tally } = playRecorded()
  knows([span([says('one'), says('two'), says('three')]), span([says('four')], 5)], [])
  begin(0, 1)
  expect(director(asked()).blocks).toMatchObject([{ type: 'text', text: 'one' }])
  expect(director(asked()).blocks).toMatchObject([{ text: 'two' }])
  expect(tally()).toEqual([{ requests: 2, left: 1, unanswered: 0 }])
  begin(1, 1)
  expect(director(asked()).blocks).toMatchObject([{ text: 'four' }])
  expect(tally()).toEqual([{ requests: 1, left: 0, unanswered: 0 }])
})

test('where the recording has nothing to say, the turn is ended, and that is counted', () => {
  const { director, knows, begin, tally } = playRecorded()
  knows([span([])], [])
  begin(0, 1)
  expect(director(asked())).toEqual({ kind: 'default', steps: [{ do: 'SAY', text: nothingRecorded }] })
  expect(tally()).toEqual([{ requests: 1, left: 0, unanswered: 1 }])
})

test('a side request takes no reply, nor does a compaction', () => {
  const { director, knows, begin, tally } = playRecorded()
  knows([span([says('one')])], [])
  begin(0, 1)
  expect(director(asked({ tools: [] })).kind).toBe('side')
  const compact = 'Your task is to create a detailed summary of the conversation so far'
  expect(director(from('main', compact)).kind).toBe('compaction')
  expect(tally()).toEqual([{ requests: 0, left: 1, unanswered: 0 }])
})

test('each sub-agent is answered from a conversation of its own', () => {
  const { director, begin, knows, tally } = playRecorded()
  const helpers = ['found', 'not found'].map((text) => ({ prompt: 'Look for it', replies: [says(text)], saidAt: [1] }))
  knows([span([says('main')])], helpers)
  begin(0, 1)
  director(asked())
  expect(director(from('a', 'Look for it')).blocks).toMatchObject([{ text: 'found' }])
  expect(director(from('b', 'Look for it')).blocks).toMatchObject([{ text: 'not found' }])
  expect(director(from('c', 'Look for it')).kind).toBe('default')
  expect(tally()).toEqual([{ requests: 1, left: 0, unanswered: 1 }])
})

test('a turn that follows by itself is known by the call that it tells of, also when the one before fell short', () => {
  const { director, knows, begin, current, tally } = playRecorded()
  knows([span([says('one'), says('left')]), span([says('heard')], 5, 'toolu_7')], [])
  begin(0, 2)
  director(asked())
  expect(director(from('main', '<tool-use-id>toolu_7</tool-use-id>')).blocks).toMatchObject([{ text: 'heard' }])
  expect(current()).toBe(1)
  expect(tally()).toEqual([
    { requests: 1, left: 1, unanswered: 0 },
    { requests: 1, left: 0, unanswered: 0 },
  ])
})

test('what a sub-agent said after a turn was over is not said before', async () => {
  const { director, knows, begin, ended } = playRecorded()
  const helper = { prompt: 'Look', replies: [says('early'), says('late')], saidAt: [0.5, 3] }
  knows([span([says('one'), says('two')]), span([says('heard')], 5, 'toolu_7')], [helper])
  begin(0, 2)
  director(asked())
  expect(director(from('a', 'Look')).after).toBeUndefined()
  const { after } = director(from('a', 'Look'))
  const said: string[] = []
  const late = after?.then(() => said.push('late'))
  expect(director(asked()).after).toBeUndefined()
  await Promise.resolve()
  said.push('over')
  ended(1)
  await late
  expect(said).toEqual(['over', 'late'])
})

test('a reply goes out with all its blocks and the recorded ids', async () => {
  const { director, knows, begin } = playRecorded()
  const sim = await startSim({ director })
  const both: RecordedReply = [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'Both at once.' },
    { type: 'call', id: 'toolu_01abc', name: 'Bash', input: { command: 'ls' } },
    { type: 'call', id: 'other-7', name: 'Bash', input: { command: 'pwd' } },
  ]
  knows([span([both])], [])
  begin(0, 1)
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
