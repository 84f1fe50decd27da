import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { SetupContext } from '../contract.ts'
import { deployment } from './deployment.ts'
import { hookEvents } from './hooks.ts'

const context: SetupContext = {
  version: '0.166.0',
  scope: 'user',
  project: '/home/dev/project',
  env: { HOME: '/home/dev' },
  isShared: false,
  programs: '/usr/lib/rein/bin',
  hook: '/state/hooks/rein-hook',
  waiter: '/state/hooks/rein-wait',
  guard: '/state/hooks/rein-guard',
  mcp: ['/usr/bin/rein', 'mcp'],
  skills: [{ name: 'rein-check', content: 'text' }],
}
const pathsOf = (given: Partial<SetupContext>): string[] => [
  ...new Set(deployment({ ...context, ...given }).map(({ path }) => path)),
]

test('where Codex looks', () => {
  const under = (directory: string) => [
    `${directory}/hooks.json`,
    `${directory}/skills/rein-check/SKILL.md`,
    `${directory}/config.toml`,
  ]
  expect(pathsOf({})).toEqual(under('/home/dev/.codex'))
  expect(pathsOf({ env: { CODEX_HOME: '/c' } })).toEqual(under('/c'))
  expect(pathsOf({ scope: 'project' })).toEqual(under('/home/dev/project/.codex'))
})

test('instructions go into an AGENTS.md that is there, and none is made', () => {
  const project = tempDir()
  expect(pathsOf({ scope: 'project', project })).not.toContain(join(project, 'AGENTS.md'))
  writeFileSync(join(project, 'AGENTS.md'), '# Ours\n')
  expect(pathsOf({ scope: 'project', project })).toContain(join(project, 'AGENTS.md'))
})

test('each hook can be told from those of others', () => {
  const hooks = deployment(context).flatMap((one) => (one.kind === 'json-items' ? one : []))
  expect(hooks.map(({ at }) => at)).toEqual(hookEvents.map((event) => ['hooks', event]))
  for (const { at, items, marker } of hooks) {
    expect(JSON.stringify(items)).toContain(`'/state/hooks/rein-hook' codex ${at[1]}`)
    expect(JSON.stringify(items)).toContain(marker)
  }
})

test('the MCP server has another name than that of launched agents: Codex would make one of the two', () => {
  expect(deployment(context).find(({ kind }) => kind === 'toml-table')).toMatchObject({
    table: ['mcp_servers', 'rein-setup'],
    values: { command: '/usr/bin/rein', args: ['mcp'], default_tools_approval_mode: 'approve' },
  })
})
