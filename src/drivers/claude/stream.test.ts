import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../contract.ts'
import { stream } from './stream.ts'
import { questionOf } from './question.ts'

const sentLines: string[] = []
const session = stream((line) => {
  sentLines.push(line)
  return Promise.resolve()
})
const decode = (message: unknown): StreamEvent[] => session.receive(JSON.stringify(message))
const states = (message: unknown): string[] =>
  decode(message).flatMap((event) => (event.kind === 'state' ? [event.state] : []))
const permission = (tool_name: string, input: object = {}, more: object = {}) => ({
  type: 'control_request',
  request_id: 'req-1',
  request: { subtype: 'can_use_tool', tool_name, input, ...more },
})

describe('what the CLI says', () => {
  test.each([
    ['working', { type: 'system', subtype: 'init', session_id: 's' }],
    ['working', { type: 'assistant', message: { content: [] } }],
    ['working', { type: 'user', message: { content: 'x' }, isReplay: true }],
    [
      'working',
      { type: 'assistant', error: 'rate_limit', message: { content: [{ text: 'API Error: Request rejected (429)' }] } },
    ],
    ['idle', { type: 'result', subtype: 'success' }],
    ['idle', { type: 'result', subtype: 'error_during_execution' }],
  ])('%s: %j', (state, message) => {
    expect(states(message)).toEqual([state])
  })

  test('each turn begins with the conversation it belongs to', () => {
    expect(decode({ type: 'system', subtype: 'init', session_id: 's' })[0]).toMatchObject({
      kind: 'conversation',
      conversation: 's',
    })
    expect(decode({ type: 'system', subtype: 'init' })).toMatchObject([{ kind: 'state', state: 'working' }])
  })

  test('it names its model at the start of each turn, and how much fits at the end; the others it used do not count', () => {
    const fresh = stream(() => Promise.resolve())
    const models = (message: unknown) =>
      fresh.receive(JSON.stringify(message)).flatMap((event) => (event.kind === 'model' ? [event.model] : []))
    const name = 'claude-opus-4-8[1m]'
    const begun = { type: 'system', subtype: 'init', session_id: 's', model: name }
    const modelUsage = { [name]: { contextWindow: 1_000_000 }, 'claude-haiku-4-5': { contextWindow: 200_000 } }
    expect(models(begun)).toEqual([{ name, window: null }])
    expect(models({ type: 'result', subtype: 'success', modelUsage })).toEqual([{ name, window: 1_000_000 }])
    expect(models(begun)).toEqual([{ name, window: 1_000_000 }])
    expect(models({ type: 'assistant', message: { content: [] } })).toEqual([])
  })

  test('what a sub-agent says or gets is no turn of its own', () => {
    for (const type of ['assistant', 'user'])
      expect(decode({ type, parent_tool_use_id: 't1', message: { content: [] } }).at(-1)).toEqual({ kind: 'activity' })
  })

  test('a permission request carries what is to be decided', () => {
    const question = { id: 'req-1', kind: 'permission', tool: 'Bash', summary: 'Bash: rm -rf build' }
    const input = { command: 'rm -rf build' }
    expect(decode(permission('Bash', input))).toMatchObject([{ kind: 'asked', question, call: null }])
    expect(decode(permission('Bash', input, { tool_use_id: 't1' }))).toMatchObject([{ question, call: 't1' }])
  })

  test('what settles a question names it, or the call that waited for it', () => {
    const results = ['t1', 't2'].map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'ok' }))
    const content = [{ type: 'text', text: 'x' }, ...results]
    expect(decode({ type: 'user', message: { content } })[0]).toEqual({ kind: 'settled', ids: ['t1', 't2'] })
    expect(decode({ type: 'control_cancel_request', request_id: 'req-1' })[0]).toEqual({
      kind: 'settled',
      ids: ['req-1'],
    })
  })

  test.each([
    { type: 'from_the_future' },
    { type: 'system', subtype: 'from_the_future' },
    { type: 'stream_event', event: {} },
    { type: 'control_response', response: {} },
    { type: 'control_request', request: { subtype: 'hook_callback' } },
    { type: 'control_request' },
    {},
  ])('an unknown message is activity and nothing more: %j', (message) => {
    expect(decode(message)).toEqual([{ kind: 'activity' }])
  })

  test('garbage of any kind is activity too', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const kinds = ['activity', 'state', 'conversation', 'asked', 'settled']
        for (const { kind } of session.receive(line)) expect(kinds).toContain(kind)
      }),
    )
    expect(session.receive('[1, 2]')).toEqual([{ kind: 'activity' }])
    expect(session.receive('{"type":"res')).toEqual([{ kind: 'activity' }])
  })
})

describe('what is said to it', () => {
  const sent = (said: Promise<void>): unknown => {
    expect(said).toBeInstanceOf(Promise)
    const line = sentLines.pop() ?? ''
    expect(line).toMatch(/^[^\n]+\n$/)
    return JSON.parse(line)
  }
  const response = (said: Promise<void>) => (sent(said) as { response: { response: unknown } }).response.response

  test('a prompt is one line, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sent(session.prompt(text))).toEqual({ type: 'user', message: { role: 'user', content: text } })
      }),
      { numRuns: 50 },
    )
  })

  test('an interrupt', () => {
    expect(sent(session.interrupt())).toEqual({
      type: 'control_request',
      request_id: expect.stringMatching(/\S/),
      request: { subtype: 'interrupt' },
    })
  })

  const bash = questionOf('req-1', 'Bash', { command: 'ls' })
  const asked = questionOf('req-1', 'AskUserQuestion', { questions: [{ question: 'Which?' }, { question: 'When?' }] })
  const plan = questionOf('req-1', 'ExitPlanMode', { plan: '1. Look' })

  test('a permission is given with the input as it was asked for', () => {
    expect(sent(session.answer(bash, { kind: 'allow' }))).toEqual({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'req-1',
        response: { behavior: 'allow', updatedInput: { command: 'ls' } },
      },
    })
  })

  test.each([
    [bash, { kind: 'deny', message: 'Not now.' }, { behavior: 'deny', message: 'Not now.' }],
    [bash, { kind: 'deny', message: null }, { behavior: 'deny', message: expect.stringMatching(/\S/) }],
    [bash, { kind: 'text', text: 'Use mv.' }, { behavior: 'deny', message: 'Use mv.' }],
    [plan, { kind: 'text', text: 'Shorter.' }, { behavior: 'deny', message: 'Shorter.' }],
    [plan, { kind: 'allow' }, { behavior: 'allow', updatedInput: { plan: '1. Look' } }],
    [
      asked,
      { kind: 'text', text: 'Both.' },
      { behavior: 'allow', updatedInput: { ...asked.input, answers: { 'Which?': 'Both.', 'When?': 'Both.' } } },
    ],
  ] as const)('%j answered by %j', (question, answer, expected) => {
    expect(response(session.answer(question, answer))).toEqual(expected)
  })
})

test.each([
  ['Bash', { command: 'ls' }, 'Bash: ls'],
  ['Write', { file_path: '/a', content: 'x' }, 'Write: /a'],
  ['WebFetch', { url: 'u' }, 'WebFetch: {"url":"u"}'],
  ['AskUserQuestion', {}, 'A question.'],
  ['ExitPlanMode', {}, 'A plan is ready.'],
])('in a line: %s %j', (tool, input, summary) => {
  expect(questionOf('q', tool, input).summary).toBe(summary)
})
