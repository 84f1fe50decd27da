import { expect, test } from 'vitest'
import { aCall } from '../../../test/support/builders.ts'
import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent, ToolCall } from '../../contract/hooks.ts'
import { PersonAsks } from './person-asks.ts'

const tool = (id: string | null, command = 'touch x', name = 'Bash'): ToolCall => ({ id, name, input: { command } })
const subagent = { id: 'a1', type: 'helper' }
const about = (command = 'touch x', name = 'Bash'): Question => ({
  id: 'q',
  kind: 'permission',
  tool: name,
  input: { command },
  summary: '',
})
const asksFor = (given: Partial<HookCall>, why = 'why'): PersonAsks => {
  const asks = new PersonAsks()
  asks.open(aCall({ event: 'before_tool', ...given }), why)
  return asks
}

test.each<[string, HookEvent, Partial<HookCall>, string | null]>([
  ['another call ended', 'after_batch', { tools: [tool('t2')] }, 'why'],
  ['another call failed', 'after_tool', { tools: [tool('t2')] }, 'why'],
  ['a prompt', 'prompt', {}, 'why'],
  ['the agent stopped beside it', 'stop', {}, 'why'],
  ['it ended', 'after_tool', { subagent, tools: [tool('t1')] }, null],
  ['it ended with others', 'after_batch', { subagent, tools: [tool('t2'), tool('t1')] }, null],
])('the call of a sub-agent waits: %s', (_, event, given, why) => {
  const asks = asksFor({ subagent, tools: [tool('t1')] })
  asks.heed(aCall({ event, ...given }))
  expect(asks.why({ question: about(), call: 't1' })).toBe(why)
})

test.each<HookEvent>(['stop', 'stop_failed'])('at its %s no call of the agent itself is open', (event) => {
  const asks = asksFor({ tools: [tool('t1')] })
  asks.heed(aCall({ event }))
  expect(asks.why({ question: about(), call: 't1' })).toBeNull()
})

test('a question that names its call is for that one alone', () => {
  const asks = asksFor({ tools: [tool('t1')] })
  expect(asks.why({ question: about(), call: 't2' })).toBeNull()
})

test('one that does not is known by its tool, and by what it is about', () => {
  const asks = asksFor({ tools: [tool('t1', 'one')] }, 'first')
  asks.open(aCall({ tools: [tool('t2', 'two')] }), 'second')
  const whyOf = (...given: string[]) => asks.why({ question: about(...given), call: null })
  expect([whyOf('one'), whyOf('two'), whyOf('changed'), whyOf('one', 'Read')]).toEqual([
    'first',
    'second',
    'second',
    null,
  ])
})

test('where calls have no ids every question may be the one, until it is answered or the call has ended', () => {
  const asked = { question: about('subject', 'permission'), call: null }
  const answered = asksFor({ tools: [tool(null)] })
  expect(answered.why(asked)).toBe('why')
  answered.answered(asked.question)
  expect(answered.why(asked)).toBeNull()

  const ended = asksFor({ tools: [tool(null), tool(null)] })
  ended.heed(aCall({ event: 'after_tool', tools: [tool(null, 'another')] }))
  ended.heed(aCall({ event: 'after_tool', tools: [tool(null)] }))
  expect(ended.why(asked)).toBe('why')
  ended.heed(aCall({ event: 'after_tool', tools: [tool(null)] }))
  expect(ended.why(asked)).toBeNull()
})

test('an answer to one call with an id says nothing of another that is the same', () => {
  const asks = asksFor({ tools: [tool('t1'), tool('t2')] })
  asks.answered(about())
  expect(asks.why({ question: about(), call: 't1' })).toBe('why')
  expect(asks.why({ question: about(), call: 't2' })).toBe('why')
})

test('after a takeover all that is open is for a person, until nothing is', () => {
  const asks = new PersonAsks()
  const asked = { question: about(), call: 't1' }
  asks.takeOver(null)
  expect(asks.explained(asked)).toEqual(about())
  asks.takeOver({ ...about(), why: 'why' })
  expect(asks.explained(asked)).toEqual({ ...about(), why: 'why' })
  asks.takeOver(about())
  expect(asks.why(asked)).toBe('Rein was started anew while this was asked.')
  expect(asks.hear(about(), 't1')).toEqual(asked)
  expect(asks.why(asked)).not.toBeNull()
  expect(asks.hear(null, null)).toBeNull()
  expect(asks.why(asked)).toBeNull()
  expect(asks.explained(null)).toBeNull()
})

test('with the process all is gone', () => {
  const asks = asksFor({ tools: [tool('t1')] })
  asks.forget()
  expect(asks.why({ question: about(), call: 't1' })).toBeNull()
})
