import { expect, test } from 'vitest'
import type { SetupContext } from '../contract.ts'
import { byHand, deployment } from './deployment.ts'

const context: SetupContext = {
  version: '2.1.197',
  scope: 'project',
  project: '/home/dev/shop',
  env: { HOME: '/home/dev' },
  isShared: false,
  programs: '/rein/bin',
  hook: '/state/hooks/rein-hook',
  waiter: '/state/hooks/rein-wait',
  guard: '/state/hooks/rein-guard',
  mcp: ['/state/bin/rein', 'mcp'],
  skills: [{ name: 'rein-send-message', content: 'Send.' }],
}

const pathsOf = (given: Partial<SetupContext>): string[] => [
  ...new Set(deployment({ ...context, ...given }).map(({ path }) => path)),
]
const eventsOf = (version: string): string[] =>
  deployment({ ...context, version }).flatMap((part) => (part.kind === 'json-items' ? (part.at[1] ?? '') : []))

test('in a project, into files that are of its user alone', () => {
  expect(pathsOf({})).toEqual([
    '/home/dev/shop/.claude/settings.local.json',
    '/home/dev/shop/.claude/skills/rein-send-message/SKILL.md',
    '/home/dev/shop/CLAUDE.local.md',
  ])
  expect(byHand(context)).toBe("claude mcp add --scope user rein -- '/state/bin/rein' 'mcp'")
})

test('in a project, for everybody: no file says where Rein is on this machine', () => {
  expect(byHand({ ...context, isShared: true })).toBeNull()
  const shared = deployment({ ...context, isShared: true, mcp: ['rein', 'mcp'] })
  expect(JSON.stringify(shared.map((part) => ({ ...part, path: '' })))).not.toMatch(/\/state\/|\/home\/dev/)
  expect(pathsOf({ isShared: true })).toEqual([
    '/home/dev/shop/.claude/settings.json',
    '/home/dev/shop/.claude/skills/rein-send-message/SKILL.md',
    '/home/dev/shop/CLAUDE.md',
    '/home/dev/shop/.mcp.json',
  ])
})

test('for the user, where the CLI looks, and never into its private state', () => {
  const names = ['settings.json', 'skills/rein-send-message/SKILL.md', 'CLAUDE.md']
  expect(pathsOf({ scope: 'user' })).toEqual(names.map((name) => `/home/dev/.claude/${name}`))
  const env = { HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/etc/claude' }
  expect(pathsOf({ scope: 'user', env })).toEqual(names.map((name) => `/etc/claude/${name}`))
})

test('an older version gets no event that it does not know, and no waiter', () => {
  expect(eventsOf('2.1.197')).toContain('PostToolBatch')
  expect(eventsOf('2.1.9')).not.toContain('PostToolBatch')
  expect(JSON.stringify(deployment(context))).toContain('asyncRewake')
  expect(JSON.stringify(deployment({ ...context, version: '2.1.9' }))).not.toContain('asyncRewake')
})

test('each command ends with the mark', () => {
  const commands = JSON.stringify(deployment(context)).match(/"command":"if[^"]*"/g) ?? []
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) expect(command).toMatch(/; fi # rein-managed"$/)
})
