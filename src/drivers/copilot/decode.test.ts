import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HookCall } from '../../contract/hooks.ts'
import { decode } from './decode.ts'

const meta = { agent: 'agt_1', pid: 42, conversation: null }
const recorded = readFileSync(
  join(import.meta.dirname, '../../../test/fixtures/copilot/1.0.102/hook-calls.jsonl'),
  'utf8',
)
const calls: HookCall[] = recorded
  .trimEnd()
  .split('\n')
  .map((line): { native: string; payload: unknown } => JSON.parse(line))
  .map(({ native, payload }) => decode(payload, { ...meta, native }))
const own = calls.filter(({ subagent }) => subagent === null)
const find = (native: string): HookCall | undefined => own.find((call) => call.native === native)
const leader = '81111111-2222-4333-8444-555555555555'

describe('what Copilot 1.0.102 sends', () => {
  test('each call has its name', () => {
    expect(calls.map(({ native, event }) => `${native} ${event}`)).toEqual([
      'sessionStart session_start',
      'userPromptSubmitted prompt',
      'preToolUse before_tool',
      'notification permission',
      'postToolUse after_tool',
      'agentStop stop',
      'preToolUse before_tool',
      'subagentStart subagent_start',
      'userPromptSubmitted prompt',
      'preToolUse before_tool',
      'postToolUse after_tool',
      'agentStop stop',
      'subagentStop subagent_stop',
      'postToolUse after_tool',
      'preToolUse before_tool',
      'notification permission',
      'postToolUse after_tool',
      'preCompact before_compact',
      'userPromptSubmitted notification',
      'notification notification',
      'sessionEnd session_end',
      'sessionEnd other',
    ])
  })

  test('and says where it is', () => {
    expect(find('agentStop')).toMatchObject({
      driver: 'copilot',
      agent: 'agt_1',
      pid: 42,
      conversation: leader,
      cwd: '/home/dev/app',
      transcript: `/home/dev/.copilot/session-state/${leader}/events.jsonl`,
    })
    expect([find('sessionStart'), find('preCompact'), find('sessionEnd')].map((call) => call?.source)).toEqual([
      'new',
      'manual',
      'user_exit',
    ])
  })

  test('a tool with what it is given and what came of it', () => {
    const tool = { id: null, name: 'bash', input: { command: 'touch t1', description: 'Run the scripted command' } }
    expect(find('preToolUse')?.tools).toEqual([tool])
    expect(find('postToolUse')?.tools).toMatchObject([{ ...tool, response: { resultType: 'success' } }])
  })

  test("a sub-agent's calls are known as such, and belong to the leader's conversation", () => {
    const others = calls.filter(({ subagent }) => subagent !== null)
    expect(others.map(({ native }) => native)).toEqual([
      'userPromptSubmitted',
      'preToolUse',
      'postToolUse',
      'agentStop',
    ])
    expect(new Set(others.map(({ conversation }) => conversation))).toEqual(new Set([leader]))
    expect(others[0]?.subagent).toMatchObject({ type: 'explore' })
  })

  test('what a person is asked', () => {
    expect(own.flatMap(({ question }) => question ?? [])).toMatchObject([
      { kind: 'permission', tool: 'bash', input: { command: 'touch t1' }, summary: 'Run command: touch t1' },
      { kind: 'question', input: {}, summary: 'Information requested' },
    ])
  })
})

test('what a blocked stop was told comes as a prompt, but takes no more in', () => {
  const prompt =
    'Rein says:\n<rein-directive id="dir_1" part="1/1" nonce="x">\n| Use tabs.\n</rein-directive id="dir_1">'
  expect(decode({ prompt }, { ...meta, native: 'userPromptSubmitted' }).event).toBe('notification')
})

test('two questions differ by what they ask about', () => {
  const id = (message: string) =>
    decode({ notification_type: 'permission_prompt', message }, { ...meta, native: 'notification' }).question?.id
  expect(id('Run command: ls')).not.toBe(id('Run command: rm x'))
})

test('a permission that nobody may be asked for is no question', () => {
  const payload = { hookName: 'permissionRequest', toolName: 'bash', toolInput: { command: 'ls' } }
  expect(decode(payload, { ...meta, native: 'permissionRequest' })).toMatchObject({ event: 'other', question: null })
})

test('garbage of any kind is a call that says nothing', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), (payload, native) => {
      expect(decode(payload, { ...meta, native })).toMatchObject({ driver: 'copilot', native, raw: payload })
    }),
  )
  expect(decode(null, { ...meta, native: 'constructor' }).event).toBe('other')
})
