import { expect, test } from 'vitest'
import { LaunchRequest } from '../../contract/agent.ts'
import { launchMode, refuseUnasked, startMode } from './mode.ts'

const request = (given: Partial<LaunchRequest>): LaunchRequest => LaunchRequest.parse({ cwd: '/home/dev', ...given })
const policy = { otherwise: 'ask', tools: { Write: 'deny' } } as const
const onlyAsking = { otherwise: 'ask', tools: {} } as const

test.each<[Partial<LaunchRequest>, string | undefined]>([
  [{}, undefined],
  [{ policy: onlyAsking }, undefined],
  [{ policy }, 'default'],
  [{ policy: { otherwise: 'deny', tools: {} } }, 'default'],
  [{ policy, permissionMode: 'plan' }, 'plan'],
  [{ policy, args: ['--permission-mode', 'acceptEdits'] }, 'acceptEdits'],
  [{ policy, autoApprove: true }, 'bypassPermissions'],
])('%j is started in mode %s', (given, mode) => {
  expect(launchMode(request(given))).toBe(mode)
})

test('without a word the newer ones decide themselves what runs, but only in a terminal', () => {
  const modes = ['2.1.9', '2.1.197', '2.1.198', '2.1.326'].map((version) => startMode(request({}), version, 'tmux'))
  expect(modes).toEqual(['default', 'default', 'auto', 'auto'])
  expect(startMode(request({}), '2.1.326', 'stream')).toBe('default')
  expect(startMode(request({ policy }), '2.1.326', 'pty')).toBe('default')
})

test.each([
  { permissionMode: 'auto' },
  { args: ['--permission-mode=auto'] },
  { permissionMode: 'bypassPermissions' },
  { args: ['--dangerously-skip-permissions'] },
])('%j refuses a policy', (given) => {
  expect(() => refuseUnasked(request({ ...given, policy }))).toThrow(/the policy would not be asked/)
  expect(() => refuseUnasked(request({ ...given, policy: onlyAsking }))).not.toThrow()
})
