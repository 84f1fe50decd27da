import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isObject } from '../../base/util/json.ts'
import { decode } from './decode.ts'
import { hookEvents } from './hooks.ts'

const recorded = readFileSync(
  join(import.meta.dirname, '../../../test/fixtures/codex/0.166.0/hook-calls.jsonl'),
  'utf8',
)
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Record<string, unknown>)

const called = (native: string, isMeant: (raw: Record<string, unknown>) => boolean = () => true) => {
  const found = recorded.find((raw) => raw.hook_event_name === native && isMeant(raw))
  if (found === undefined) throw new Error(`${native} was not recorded`)
  return decode(found, { native, agent: 'agt_1', pid: 42, conversation: null })
}
const isSubagents = (raw: Record<string, unknown>): boolean => raw.agent_id !== undefined
const isLeaders = (raw: Record<string, unknown>): boolean => !isSubagents(raw)

test.each([
  ['SessionStart', 'session_start'],
  ['UserPromptSubmit', 'prompt'],
  ['PreToolUse', 'before_tool'],
  ['PostToolUse', 'after_tool'],
  ['PermissionRequest', 'permission'],
  ['Stop', 'stop'],
  ['SubagentStart', 'subagent_start'],
  ['SubagentStop', 'subagent_stop'],
  ['PreCompact', 'before_compact'],
  ['PostCompact', 'after_compact'],
  ['SessionEnd', 'session_end'],
])('%s is %s', (native, event) => {
  expect(called(native)).toMatchObject({ driver: 'codex', event, native, agent: 'agt_1', pid: 42 })
})

test('all that Codex is asked to call is understood', () => {
  for (const native of hookEvents) expect(called(native).event).not.toBe('other')
})

test('conversation, transcript and directory', () => {
  const { conversation, transcript, cwd, source } = called('SessionStart')
  expect(cwd).toBe('/home/dev/project')
  expect(source).toBe('startup')
  expect(transcript).toMatch(
    new RegExp(`^/home/dev/\\.codex/sessions/\\d+/\\d+/\\d+/rollout-.*-${conversation}\\.jsonl$`),
  )
})

test('a tool call with its result', () => {
  const isBash = (raw: Record<string, unknown>): boolean => isLeaders(raw) && raw.tool_name === 'Bash'
  const [tool] = called('PreToolUse', isBash).tools
  expect(tool).toMatchObject({ name: 'Bash', input: { command: expect.any(String) } })
  expect(tool).not.toHaveProperty('response')
  expect(called('PostToolUse', isBash).tools[0]).toHaveProperty('response')
})

test('a question has an id by which it is known again', () => {
  const { question } = called('PermissionRequest')
  expect(question).toMatchObject({ kind: 'permission', tool: 'Bash', id: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(question?.summary).toBe(`Bash: ${String(question?.input.command)}`)
  expect(called('PermissionRequest').question).toEqual(question)
})

describe('sub-agents', () => {
  test.each(['SubagentStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'])(
    '%s of one comes under its leader, but its transcript is not the leader’s',
    (native) => {
      const call = called(native, isSubagents)
      expect(call.subagent).toEqual({ id: expect.any(String), type: 'default' })
      expect(call.transcript).toBeNull()
      expect(call.conversation).toBe(called('SubagentStop').conversation)
    },
  )

  test('its end is told to the leader', () => {
    const call = called('SubagentStop')
    expect(call.subagent).toBeNull()
    expect(call.transcript).toContain(`-${call.conversation}.jsonl`)
  })
})

test('whatever comes is decoded', () => {
  const meta = { native: 'constructor', agent: null, pid: null, conversation: 'known' }
  for (const payload of [null, 7, 'x', [], {}, { session_id: 3, tool_name: 'x', tool_input: [] }]) {
    const call = decode(payload, meta)
    expect(call).toMatchObject({ event: 'other', conversation: 'known', raw: payload })
    expect(call.tools.every(({ input }) => isObject(input))).toBe(true)
  }
})
