import { expect, test } from 'vitest'
import type { HookReply } from '../../contract/hooks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

const reply = (given: Partial<HookReply>): HookReply => ({ decision: null, context: [], goOn: [], ...given })
const say = (native: string, given: Partial<HookReply>): unknown =>
  encode(decode({}, { native, agent: null, pid: null, conversation: null }), reply(given))
const context = ['one', 'two'].map((text) => ({ from: 'inbox', text }))

test.each(['sessionStart', 'userPromptSubmitted', 'postToolUse'])('context at %s', (native) => {
  expect(say(native, { context })).toEqual({ additionalContext: 'one\n\ntwo' })
})

test.each(['preToolUse', 'agentStop', 'subagentStart', 'notification', 'sessionEnd', 'preCompact', 'brandNew'])(
  'no context at %s',
  (native) => {
    expect(say(native, { context })).toBeNull()
  },
)

test.each([
  [
    { kind: 'deny' as const, reason: 'Not now.' },
    { permissionDecision: 'deny', permissionDecisionReason: 'Not now.' },
  ],
  [
    { kind: 'ask' as const, reason: 'Sure?' },
    { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' },
  ],
  [
    { kind: 'rewrite' as const, input: { command: 'ls' }, reason: 'Safer.' },
    { modifiedArgs: { command: 'ls' }, additionalContext: 'Safer.' },
  ],
])('%j', (decision, expected) => {
  expect(say('preToolUse', { decision })).toEqual(expected)
  expect(say('postToolUse', { decision })).toBeNull()
})

test('a stop is blocked with what is to be done', () => {
  expect(say('agentStop', { goOn: context })).toEqual({ decision: 'block', reason: 'one\n\ntwo' })
})

test.each(['preToolUse', 'postToolUse', 'userPromptSubmitted', 'agentStop'])('nothing to say at %s', (native) => {
  expect(say(native, {})).toBeNull()
})
