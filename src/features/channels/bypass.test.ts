import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { LaunchRequest } from '../../contract/agent.ts'
import { asksNobody, isBypassing } from './bypass.ts'

const request = (given: Partial<LaunchRequest>): LaunchRequest => ({ cwd: '/', env: {}, args: [], ...given })

test.each<[Partial<LaunchRequest>, boolean]>([
  [{ autoApprove: true }, true],
  [{ permissionMode: 'bypassPermissions' }, true],
  [{ args: ['--dangerously-skip-permissions'] }, true],
  [{ args: ['--yolo'] }, true],
  [{ args: ['--ask-for-approval=never'] }, true],
  [{ args: ['-anever'] }, true],
  [{ args: ['-c', 'approval_policy = "never"'] }, true],
  [{ args: ['--config=profiles.x.approval_policy="never"'] }, true],
  [{ args: ['-sdanger-full-access'] }, true],
  [{ args: ['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}'] }, true],
  [{ args: ['--autopilot'] }, true],
  [{ args: ['--allow-tool', 'shell'] }, true],
  [{ args: ['--allowedTools', 'Bash'] }, true],
  [{ env: { COPILOT_ALLOW_ALL: '1' } }, true],
  [{ policy: { otherwise: 'ask' as const, tools: { Bash: 'approve' as const } } }, true],
  [{ policy: { otherwise: 'ask' as const, tools: { Read: 'approve' as const } } }, false],
  ...['execute', 'PowerShell', 'Monitor', 'shell_command', 'local_shell', 'write_stdin', 'write_bash', 'BASH'].map(
    (tool): [Partial<LaunchRequest>, boolean] => [{ policy: { otherwise: 'ask', tools: { [tool]: 'approve' } } }, true],
  ),
  [{ args: ['--allowedTools', 'Bash(git log:*)'] }, false],
  [{ args: ['--append-system-prompt', 'never push'] }, false],
  [{ args: ['--add-dir=/home/u/bypass'] }, false],
  [{ args: ['--dangerously-bypass-hook-trust'] }, false],
  [{ args: ['-a', 'never'] }, true],
  [{ policy: { otherwise: 'approve', tools: {} } }, true],
  [{ policy: { otherwise: 'ask', tools: { Read: 'approve' } } }, false],
  [{ permissionMode: 'acceptEdits' }, false],
  [{ permissionMode: 'auto' }, true],
  [{ args: ['--permission-mode', 'auto'] }, true],
  [{ args: ['--permission-mode=auto'] }, true],
  [{ args: ['--model', 'auto'] }, false],
  [{ args: ['--model', 'opus'] }, false],
  [{}, false],
])('%j: %s', (given, expected) => {
  expect(asksNobody(request(given))).toBe(expected)
})

test('an agent asks nobody by how it was started, or by what its CLI says now', () => {
  const open = anAgent({ request: request({ autoApprove: true }) })
  expect([isBypassing(open), isBypassing(anAgent()), isBypassing(null)]).toEqual([true, false, false])
  expect([isBypassing(anAgent(), 'bypassPermissions'), isBypassing(null, 'plan')]).toEqual([true, false])
  expect(isBypassing(anAgent(), 'auto')).toBe(true)
})
