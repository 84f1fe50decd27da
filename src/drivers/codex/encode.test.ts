import { describe, expect, test } from 'vitest'
import { emptyReply, type HookEvent, type HookReply } from '../../contract/hooks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

const natives = {
  session_start: 'SessionStart',
  prompt: 'UserPromptSubmit',
  before_tool: 'PreToolUse',
  after_tool: 'PostToolUse',
  permission: 'PermissionRequest',
  stop: 'Stop',
  subagent_start: 'SubagentStart',
  before_compact: 'PreCompact',
  session_end: 'SessionEnd',
} as const satisfies Partial<Record<HookEvent, string>>

const said = (event: keyof typeof natives, reply: Partial<HookReply>): unknown => {
  const call = decode({}, { native: natives[event], agent: null, pid: null, conversation: null })
  return encode(call, { ...emptyReply, ...reply })
}
const parts = ['one', 'two'].map((text) => ({ from: 'test', text }))
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })

test.each(['session_start', 'prompt', 'after_tool'] as const)('context at %s', (event) => {
  expect(said(event, { context: parts })).toEqual(specific(natives[event], { additionalContext: 'one\n\ntwo' }))
})

test.each(['before_tool', 'permission', 'subagent_start', 'before_compact', 'session_end'] as const)(
  'no context at %s',
  (event) => {
    expect(said(event, { context: parts, goOn: parts })).toBeNull()
  },
)

test('nothing to say is said by saying nothing', () => {
  for (const event of Object.keys(natives)) expect(said(event as keyof typeof natives, {})).toBeNull()
})

test('a policy of the user answers a permission request, and nothing else', () => {
  const allowed = { decision: { behavior: 'allow' } }
  const denied = { decision: { behavior: 'deny', message: 'By policy.' } }
  expect(said('permission', { verdict: { kind: 'allow' } })).toEqual(specific('PermissionRequest', allowed))
  expect(said('permission', { verdict: { kind: 'deny', reason: 'By policy.' } })).toEqual(
    specific('PermissionRequest', denied),
  )
  expect(said('before_tool', { verdict: { kind: 'allow' } })).toBeNull()
})

test('a stop is blocked with what there is to say', () => {
  expect(said('stop', { goOn: parts, context: parts })).toEqual({ decision: 'block', reason: 'one\n\ntwo' })
})

describe('decisions', () => {
  test.each(['deny', 'ask'] as const)('%s is a denial: Codex would run what it is told to ask about', (kind) => {
    expect(said('before_tool', { decision: { kind, reason: 'because' } })).toEqual(
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'because' }),
    )
  })

  test('a new input goes with the word that Codex wants for it', () => {
    const input = { command: 'echo x' }
    expect(said('before_tool', { decision: { kind: 'rewrite', input, reason: 'because' } })).toEqual(
      specific('PreToolUse', { permissionDecision: 'allow', updatedInput: input, additionalContext: 'because' }),
    )
  })
})
