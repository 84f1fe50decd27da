import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { freeTools } from '../free-tools.ts'
import { assets } from './assets.ts'

const root = join(import.meta.dirname, '../../..')
const files = assets({
  version: '0.61.0',
  host: 'tmux',
  programs: join(root, 'bin'),
  skills: join(root, 'skills'),
  transport: { kind: 'socket', url: '' },
})

test('the hook client, and every skill', () => {
  expect(files.find(({ path }) => path === 'rein-hook')).toMatchObject({ executable: true })
  expect(files.map(({ path }) => path)).toContain('skills/rein-check-directives/SKILL.md')
})

test('an agent may always answer Rein and its team, and nothing else', () => {
  const policy = files.find(({ path }) => path === 'policies/rein.toml')?.content ?? ''
  expect(parse(policy)).toEqual({
    rule: [
      {
        toolName: 'run_shell_command',
        commandPrefix: ['rein ack', 'rein inbox read'],
        decision: 'allow',
        priority: 100,
      },
      {
        mcpName: 'rein',
        toolName: freeTools,
        decision: 'allow',
        priority: 100,
      },
    ],
  })
})
