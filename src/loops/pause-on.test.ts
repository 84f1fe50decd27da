import { expect, test } from 'vitest'
import { aCall } from '../../test/builders.ts'
import type { PauseKind } from '../contract/agent.ts'
import type { ResponderReply } from '../contract/hooks.ts'
import { findDriver } from '../drivers/registry.ts'
import { pauseOnResponder } from './pause-on.ts'

const respond = (
  pauseOn: PauseKind[] | undefined,
  name: string,
  input: Record<string, unknown>,
): ResponderReply | Promise<ResponderReply> =>
  pauseOnResponder(() => ({ request: { cwd: '/', env: {}, args: [], ...(pauseOn && { pauseOn }) } }), findDriver).respond(
    aCall({ event: 'before_tool', native: 'PreToolUse', tools: [{ id: 't', name, input }] }),
    9000,
  )

test.each<[PauseKind[] | undefined, string, Record<string, unknown>, boolean]>([
  [['bash'], 'Bash', { command: 'ls' }, true],
  [['edit'], 'Bash', { command: 'ls' }, false],
  [['edit'], 'Write', { file_path: 'a', content: 'b' }, true],
  [['edit', 'bash'], 'Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, true],
  [['bash', 'edit'], 'Read', { file_path: 'a' }, false],
  [undefined, 'Bash', { command: 'ls' }, false],
])('with %j %s %j is asked about: %s', (pauseOn, name, input, isAsked) => {
  expect(respond(pauseOn, name, input)).toEqual(
    isAsked ? { decision: { kind: 'ask', reason: expect.stringContaining('a person wants to be asked') as string } } : {},
  )
})
