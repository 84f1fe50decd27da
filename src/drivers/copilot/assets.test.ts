import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { HostKind } from '../../contract/agent.ts'
import type { SetupContext } from '../contract.ts'
import { assets } from './assets.ts'
import { deployment } from './deployment.ts'

const root = join(import.meta.dirname, '../../..')
const made = (host: HostKind) =>
  assets({
    version: '1.0.102',
    host,
    programs: join(root, 'bin'),
    skills: join(root, 'skills'),
    transport: { kind: 'socket', url: '' },
  })

interface HooksFile {
  version: number
  hooks: Record<string, { type: string; bash: string; timeoutSec: number }[]>
}
const hooksOf = (host: HostKind): HooksFile =>
  JSON.parse(made(host).find(({ path }) => path === 'hooks/hooks.json')?.content ?? '')

test('a plugin with hooks, the client and skills', () => {
  const paths = made('tmux').map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['.claude-plugin/plugin.json', 'hooks/hooks.json', 'rein-hook']))
  expect(paths).toContain('skills/rein-check-directives/SKILL.md')
  expect(made('tmux').filter(({ executable }) => executable)).toMatchObject([
    { path: 'rein-hook' },
    { path: 'rein-guard' },
  ])
})

test('each event calls the client with its name; the end of a session is told only where it is one', () => {
  const { version, hooks } = hooksOf('tmux')
  expect(version).toBe(1)
  for (const [event, [hook]] of Object.entries(hooks))
    expect(hook?.bash).toContain(`exec "$CLAUDE_PLUGIN_ROOT/rein-hook" copilot ${event}`)
  expect(Object.keys(hooks)).toContain('sessionEnd')
  expect(Object.keys(hooksOf('stream').hooks)).not.toContain('sessionEnd')
})

test('a client that is gone denies no tool', () => {
  const command = hooksOf('tmux').hooks['preToolUse']?.[0]?.bash ?? 'exit 9'
  const env = { PATH: process.env['PATH'] ?? '', CLAUDE_PLUGIN_ROOT: tempDir() }
  expect(spawnSync('bash', ['--norc', '-c', command], { env, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: '',
  })
})

const setup = (scope: SetupContext['scope'], env: NodeJS.ProcessEnv = { HOME: '/home/dev' }) =>
  deployment({
    version: '1.0.102',
    scope,
    project: '/home/dev/app',
    env,
    hook: '/opt/rein/rein-hook',
    waiter: '/opt/rein/rein-wait',
    guard: '/opt/rein/rein-guard',
    isShared: false,
    programs: '/opt/rein',
    mcp: ['rein', 'mcp'],
    skills: [{ name: 'rein-check', content: 'x' }],
  })

test.each([
  ['project' as const, '/home/dev/app/.github', '/home/dev/app/.mcp.json'],
  ['user' as const, '/home/dev/.copilot', '/home/dev/.copilot/mcp-config.json'],
])('what is set up for a %s', (scope, directory, mcp) => {
  expect(setup(scope)).toMatchObject([
    { kind: 'file', path: `${directory}/hooks/rein.json` },
    { kind: 'file', path: `${directory}/skills/rein-check/SKILL.md` },
    { kind: 'text-block', path: `${directory}/copilot-instructions.md` },
    { kind: 'json-key', path: mcp, at: ['mcpServers', 'rein'], value: { command: 'rein', args: ['mcp'] } },
  ])
})

test('every command that is set up carries the mark, and the user may have moved the directory', () => {
  const [hooks] = setup('user', { COPILOT_HOME: '/conf', HOME: '/home/dev' })
  expect(hooks).toMatchObject({ path: '/conf/hooks/rein.json' })
  const file: HooksFile = JSON.parse(hooks?.kind === 'file' ? hooks.content : '')
  for (const [event, [hook]] of Object.entries(file.hooks)) {
    expect(hook?.bash).toContain(`'/opt/rein/rein-hook' copilot ${event};`)
    expect(hook?.bash).toMatch(/ # rein-managed$/)
  }
})
