import { describe, expect, test } from 'vitest'
import type { HookCall } from '../../contract/hooks.ts'
import { findDriver } from '../../drivers/registry.ts'
import { mcpNames, subjectsOf } from './subjects.ts'

const nothing: HookCall = {
  driver: 'codex',
  event: 'other',
  native: '',
  agent: null,
  pid: null,
  conversation: null,
  transcript: null,
  cwd: '/w',
  subagent: null,
  tools: [],
  prompt: null,
  source: null,
  question: null,
  raw: null,
}

const seen = (call: Partial<HookCall>) => {
  const whole = { ...nothing, ...call }
  return subjectsOf(whole, findDriver(whole.driver).actions)
}

const using = (name: string, input: Record<string, unknown>): Partial<HookCall> => ({
  event: 'before_tool',
  tools: [{ id: null, name, input }],
})

test('a prompt and a stop are one subject each', () => {
  expect(seen({ event: 'prompt', prompt: 'Hello' })).toEqual([
    { surface: 'prompt', action: null, tool: null, input: {}, prompt: 'Hello' },
  ])
  expect(seen({ event: 'stop' })).toMatchObject([{ surface: 'stop', action: null }])
  expect(seen({ ...using('Bash', { command: 'ls' }), event: 'after_tool' })).toEqual([])
})

test('a patch in a command is the command and its files; a move takes one away and makes the other', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-one\n+two\n*** End Patch'
  const command = `apply_patch <<'EOF'\n${patch}\nEOF`
  expect(seen(using('Bash', { command }))).toMatchObject([
    { surface: 'shell', action: { command }, tool: 'Bash', input: { command } },
    { surface: 'edit', action: { path: 'a' } },
    { surface: 'delete', action: { kind: 'delete', path: 'a' } },
    { surface: 'write', action: { kind: 'write', path: 'b', content: 'two' } },
  ])
})

test('what cannot be read is each kind of change', () => {
  const surfaces = seen(using('apply_patch', { command: 'nonsense' })).map(({ surface }) => surface)
  expect(surfaces).toEqual(['write', 'edit', 'delete'])
})

describe('a permission', () => {
  const question = { id: '1', tool: 'Bash', input: { command: 'rm x' }, summary: '' }

  test('is its tool call', () => {
    expect(seen({ event: 'permission', question: { ...question, kind: 'permission' } })).toMatchObject([
      { surface: 'shell', action: { command: 'rm x' }, tool: 'Bash' },
    ])
  })

  test.each(['question', 'plan'] as const)('a %s is none', (kind) => {
    expect(seen({ event: 'permission', question: { ...question, kind } })).toEqual([])
  })
})

test('a tool of MCP whose name can be cut in several ways has each of these names', () => {
  const namesOf = (driver: string, name: string) =>
    seen({ driver, ...using(name, {}) }).flatMap(({ action }) => (action?.kind === 'mcp' ? mcpNames(action) : []))
  expect(namesOf('claude', 'mcp__github__create_issue')).toEqual(['github/create_issue'])
  expect(namesOf('copilot', 'github-mcp-get_issue')).toEqual(['github/mcp-get_issue', 'github-mcp/get_issue'])
  expect(namesOf('opencode', 'my_db_query')).toEqual(['my/db_query', 'my_db/query'])
  expect(namesOf('gemini', 'mcp_rein_ack')).toEqual(['rein/ack'])
})
