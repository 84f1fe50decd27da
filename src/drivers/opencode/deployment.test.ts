import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Deployment, SetupContext } from '../contract.ts'
import { deployment } from './deployment.ts'

const context: SetupContext = {
  version: '1.18.33',
  scope: 'project',
  project: '/home/dev/project',
  env: { HOME: '/home/dev' },
  isShared: false,
  programs: join(import.meta.dirname, '../../../bin'),
  hook: "/state/it's/rein-hook",
  waiter: '/state/rein-wait',
  guard: '/state/rein-guard',
  mcp: ['rein', 'mcp'],
  skills: [{ name: 'rein-x', content: 'x' }],
}
const paths = (all: Deployment[]): string[] => all.map(({ path }) => path)

test('a project', () => {
  const all = deployment(context)
  expect(paths(all)).toEqual([
    '/home/dev/project/.rein/opencode/rein-opencode.js',
    '/home/dev/project/.rein/opencode/instructions.md',
    '/home/dev/project/.rein/opencode/skills/rein-x/SKILL.md',
    '/home/dev/project/opencode.json',
    '/home/dev/project/opencode.json',
  ])
  expect(all.slice(3)).toMatchObject([
    { at: ['plugin'], items: ['./.rein/opencode/rein-opencode.js'] },
    { at: ['mcp', 'rein'], value: { type: 'local', command: ['rein', 'mcp'], enabled: true } },
  ])
})

test('a user, wherever the configuration is', () => {
  expect(paths(deployment({ ...context, scope: 'user' }))[0]).toBe('/home/dev/.config/opencode/rein/rein-opencode.js')
  const moved = deployment({ ...context, scope: 'user', env: { XDG_CONFIG_HOME: '/cfg' } })
  expect(moved[3]).toMatchObject({ path: '/cfg/opencode/opencode.json', items: ['./rein/rein-opencode.js'] })
})

test('the plugin knows the deployed programs', () => {
  const [first] = deployment(context)
  expect(first).toMatchObject({
    content: expect.stringContaining(
      `const deployed = {"hook":"/state/it's/rein-hook","waiter":"/state/rein-wait","guard":"/state/rein-guard"}\n`,
    ),
  })
})
