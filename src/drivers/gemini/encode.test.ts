import { expect, test } from 'vitest'
import { emptyReply, type HookReply } from '../../contract/hooks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

const answer = (native: string, reply: Partial<HookReply>) =>
  encode(decode({}, { native, agent: null, pid: null, conversation: null }), { ...emptyReply, ...reply })

const context = [
  { from: 'rules', text: 'One.' },
  { from: 'inbox', text: 'Two.' },
]

test.each(['SessionStart', 'BeforeAgent', 'AfterTool'])('context at %s', (native) => {
  expect(answer(native, { context })).toEqual({
    hookSpecificOutput: { hookEventName: native, additionalContext: 'One.\n\nTwo.' },
  })
})

test.each(['BeforeTool', 'AfterAgent', 'Notification', 'SessionEnd', 'PreCompress'])('no context at %s', (native) => {
  expect(answer(native, { context })).toBeNull()
})

test.each(['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'Notification'])(
  'nothing to say at %s is nothing said',
  (native) => {
    expect(answer(native, {})).toBeNull()
  },
)

test.each(['deny', 'ask'] as const)('a tool call: %s', (kind) => {
  expect(answer('BeforeTool', { decision: { kind, reason: 'Why.' } })).toEqual({ decision: kind, reason: 'Why.' })
})

test('a rewritten call is not allowed by that', () => {
  const input = { command: 'ls' }
  expect(answer('BeforeTool', { decision: { kind: 'rewrite', input, reason: 'Why.' } })).toEqual({
    hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input },
  })
})

test('a stop that goes on', () => {
  expect(answer('AfterAgent', { goOn: context })).toEqual({
    decision: 'block',
    reason: 'Rein has something before you stop:\nOne.\n\nTwo.',
  })
})
