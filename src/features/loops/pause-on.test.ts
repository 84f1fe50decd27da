import { expect, test } from 'vitest'
import { aCall } from '../../../test/support/builders.ts'
import type { PauseKind } from '../../contract/agent.ts'
import type { ResponderReply } from '../../contract/hooks.ts'
import { findDriver } from '../../drivers/registry.ts'
import { pauseOnResponder } from './pause-on.ts'

const respond = (
  pauseOn: PauseKind[] | undefined,
  name: string,
  input: Record<string, unknown>,
  driver = 'claude',
): ResponderReply | Promise<ResponderReply> =>
  pauseOnResponder(
    () => ({ request: { cwd: '/', env: {}, args: [], ...(pauseOn && { pauseOn }) } }),
    findDriver,
  ).respond(aCall({ driver, event: 'before_tool', native: 'PreToolUse', tools: [{ id: 't', name, input }] }), 9000)

test.each<[PauseKind[] | undefined, string, Record<string, unknown>, string | undefined]>([
  [['bash'], 'Bash', { command: 'ls' }, 'ask'],
  [['edit'], 'Bash', { command: 'ls' }, undefined],
  [['edit'], 'Write', { file_path: 'a', content: 'b' }, 'ask'],
  [['edit', 'bash'], 'Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, 'ask'],
  [['edit'], 'mcp__files__write_file', { path: 'a' }, 'ask'],
  [['edit'], 'mcp__files__read_file', { path: 'a' }, undefined],
  [['bash', 'edit'], 'Read', { file_path: 'a' }, undefined],
  [undefined, 'Bash', { command: 'ls' }, undefined],
])('with %j %s %j is answered: %s', async (pauseOn, name, input, kind) => {
  expect((await respond(pauseOn, name, input)).opinions?.[0]?.kind).toBe(kind)
})

test('a command that holds a patch is an edit', async () => {
  const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"
  expect((await respond(['edit'], 'Bash', { command }, 'codex')).opinions?.[0]?.kind).toBe('ask')
  expect((await respond(['bash'], 'Bash', { command }, 'codex')).opinions?.[0]?.kind).toBe('ask')
})
