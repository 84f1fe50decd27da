import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCall } from '../../../test/support/builders.ts'
import { type Decision, emptyReply, type HookEvent, type Verdict } from '../../contract/hooks.ts'
import { canGiveContext, encode } from './encode.ts'

const modern = '2.1.197'
const old = '2.1.9'
const events: [HookEvent, string][] = [
  ['session_start', 'SessionStart'],
  ['prompt', 'UserPromptSubmit'],
  ['before_tool', 'PreToolUse'],
  ['after_tool', 'PostToolUse'],
  ['after_batch', 'PostToolBatch'],
  ['permission', 'PermissionRequest'],
  ['stop', 'Stop'],
  ['stop_failed', 'StopFailure'],
  ['subagent_start', 'SubagentStart'],
  ['subagent_stop', 'SubagentStop'],
  ['before_compact', 'PreCompact'],
  ['after_compact', 'PostCompact'],
  ['session_end', 'SessionEnd'],
  ['notification', 'Notification'],
  ['other', 'Whatever'],
]
const context = [
  { from: 'rules', text: 'one' },
  { from: 'inbox', text: 'two' },
]

test.each(events)('nothing to say about %s is said by saying nothing', (event, native) => {
  expect(encode(aCall({ event, native }), emptyReply, modern)).toBeNull()
})

describe('context', () => {
  test.each(events)('%s', (event, native) => {
    const said = encode(aCall({ event, native }), { ...emptyReply, context }, modern)
    const expected = { hookSpecificOutput: { hookEventName: native, additionalContext: 'one\n\ntwo' } }
    expect(said).toEqual(canGiveContext(event) && event !== 'stop' ? expected : null)
  })
})

describe('a verdict of the user’s policy', () => {
  test.each(events)('%s', (event, native) => {
    const reply = (verdict: Verdict) => encode(aCall({ event, native }), { ...emptyReply, verdict }, modern)
    const said = (decision: object) =>
      event === 'permission' ? { hookSpecificOutput: { hookEventName: native, decision } } : null
    expect(reply({ kind: 'allow' })).toEqual(said({ behavior: 'allow' }))
    expect(reply({ kind: 'deny', reason: 'No.' })).toEqual(said({ behavior: 'deny', message: 'No.' }))
  })
})

test('a plan is approved together with its input: without it, newer ones ask all the same', () => {
  const input = { plan: '1. Look.' }
  const question = { id: 'q', kind: 'plan' as const, tool: 'ExitPlanMode', input, summary: 'A plan.' }
  const tools = [{ id: null, name: 'ExitPlanMode', input }]
  const call = aCall({ event: 'permission', native: 'PermissionRequest', question, tools })
  expect(encode(call, { ...emptyReply, verdict: { kind: 'allow' } }, modern)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: input } },
  })
})

describe('at a stop', () => {
  const reply = { ...emptyReply, goOn: context }

  test('context makes a new one go on', () => {
    expect(encode(aCall({ event: 'stop', native: 'Stop' }), reply, modern)).toEqual({
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'one\n\ntwo' },
    })
  })

  test('an old one is kept from stopping', () => {
    expect(encode(aCall({ event: 'stop', native: 'Stop' }), reply, old)).toEqual({
      decision: 'block',
      reason: 'one\n\ntwo',
    })
  })

  test('one that failed cannot go on', () => {
    expect(encode(aCall({ event: 'stop_failed', native: 'StopFailure' }), reply, modern)).toBeNull()
  })
})

describe('before a tool', () => {
  const before = aCall({ event: 'before_tool', native: 'PreToolUse' })

  test.each(['deny', 'ask'] as const)('%s, with the reason', (kind) => {
    expect(encode(before, { ...emptyReply, decision: { kind, reason: 'why' } }, modern)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: kind, permissionDecisionReason: 'why' },
    })
  })

  test('another input still has to pass the permission prompts', () => {
    const decision: Decision = { kind: 'rewrite', input: { command: 'ls' }, reason: 'why' }
    const said = encode(before, { ...emptyReply, decision }, modern)
    expect(said).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' }, additionalContext: 'why' },
    })
  })
})

test('whatever is replied to whatever call: Rein never allows a tool in the place of the user', () => {
  const decision = fc.option(
    fc.constantFrom<Decision>(
      { kind: 'deny', reason: 'r' },
      { kind: 'ask', reason: 'r' },
      { kind: 'rewrite', input: { command: 'ls' }, reason: 'r' },
    ),
  )
  const some = fc.constantFrom(context, [])
  const call = fc.constantFrom(...events).map(([event, native]) => aCall({ event, native }))
  const reply = fc.record({ decision, context: some, goOn: some })
  fc.assert(
    fc.property(call, reply, fc.constantFrom(old, modern), (one, given, version) => {
      expect(JSON.stringify(encode(one, given, version)) ?? '').not.toMatch(/"allow"|"approve"|"continue"/)
    }),
  )
})
