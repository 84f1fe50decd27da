import { expect, test } from 'vitest'
import { deployment } from './deployment.ts'

const context = {
  version: '0.61.0',
  project: '/home/dev/app',
  env: { HOME: '/home/dev' },
  isShared: false,
  programs: '/opt/rein/bin',
  hook: '/home/dev/.rein/rein-hook',
  waiter: '/home/dev/.rein/rein-wait',
  guard: '/home/dev/.rein/rein-guard',
  mcp: ['rein', 'mcp'],
  skills: [{ name: 'rein-x', content: 'X' }],
}

test.each([
  ['project', '/home/dev/app/.gemini', '/home/dev/app/GEMINI.md'],
  ['user', '/home/dev/.gemini', '/home/dev/.gemini/GEMINI.md'],
] as const)('for a %s', (scope, directory, instructions) => {
  const changes = deployment({ ...context, scope })
  const path = `${directory}/settings.json`
  expect(changes.filter(({ kind }) => kind !== 'json-items')).toEqual([
    { kind: 'json-key', path, at: ['mcpServers', 'rein'], value: { command: 'rein', args: ['mcp'] } },
    { kind: 'file', path: `${directory}/skills/rein-x/SKILL.md`, content: 'X', executable: false },
    { kind: 'text-block', path: instructions, text: expect.stringContaining('rein ack') },
  ])
  const hooks = changes.flatMap((change) => (change.kind === 'json-items' ? [change] : []))
  expect(hooks.map(({ at }) => at.join('.'))).toEqual([
    'hooks.SessionStart',
    'hooks.BeforeAgent',
    'hooks.BeforeTool',
    'hooks.AfterTool',
    'hooks.AfterAgent',
    'hooks.Notification',
    'hooks.SessionEnd',
  ])
  for (const { items, marker, at } of hooks) {
    const [item] = items as [{ hooks: { command: string }[] }]
    expect(item.hooks[0]?.command).toMatch(new RegExp(`rein-hook' gemini ${at[1]};.*${marker}$`))
  }
})

test('another home of the CLI is the user’s own', () => {
  const [first] = deployment({ ...context, scope: 'user', env: { HOME: '/home/dev', GEMINI_CLI_HOME: '/x' } })
  expect(first).toMatchObject({ path: '/x/.gemini/settings.json' })
})
