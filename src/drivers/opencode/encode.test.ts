import { expect, test } from 'vitest'
import { emptyReply, type HookCall, type HookEvent, type HookReply } from '../../contract/hooks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

const call = (event: HookEvent): HookCall => ({
  ...decode({}, { native: 'x', agent: null, pid: null, conversation: null }),
  event,
})
const context = [
  { from: 'rules', text: 'one' },
  { from: 'inbox', text: 'two' },
]
const full: HookReply = { decision: { kind: 'deny', reason: 'no' }, context, goOn: context }

test.each(['prompt', 'after_tool'] as const)('context at %s', (event) => {
  expect(encode(call(event), { ...full, decision: null })).toEqual({ context: 'one\n\ntwo' })
})

test('a prompt that is refused is taken in all the same: the model is told not to follow it', () => {
  expect(encode(call('prompt'), { ...full, context: [] })).toEqual({
    context: 'no\nDo nothing of what this prompt asks. Say why.',
  })
})

test('before a tool only the decision goes over', () => {
  expect(encode(call('before_tool'), full)).toEqual({ deny: 'no' })
  expect(encode(call('before_tool'), { ...full, decision: { kind: 'ask', reason: 'why?' } })).toEqual({ deny: 'why?' })
  const rewrite = { kind: 'rewrite' as const, input: { command: 'ls' }, reason: 'safer' }
  expect(encode(call('before_tool'), { ...full, decision: rewrite })).toEqual({ args: { command: 'ls' } })
})

test('a policy of the user answers a permission request', () => {
  const verdict = { kind: 'deny' as const, reason: 'By policy.' }
  expect(encode(call('permission'), { ...full, verdict })).toEqual({ verdict })
  expect(encode(call('permission'), full)).toBeNull()
  expect(encode(call('before_tool'), { ...emptyReply, verdict: { kind: 'allow' } })).toBeNull()
})

test('at a stop the agent goes on with the text', () => {
  expect(encode(call('stop'), full)).toEqual({ goOn: 'one\n\ntwo' })
})

test('elsewhere, and with nothing to say, nothing is said', () => {
  for (const event of ['session_start', 'permission', 'session_end', 'stop_failed', 'notification', 'other'] as const)
    expect(encode(call(event), full)).toBeNull()
  for (const event of ['prompt', 'before_tool', 'after_tool', 'stop'] as const)
    expect(encode(call(event), emptyReply)).toBeNull()
})
