import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
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
        toolName: [
          'read_inbox',
          'ack_directive',
          'chat_read',
          'chat_send',
          'bus_read',
          'bus_ack',
          'bus_publish',
          'tell_lead',
          'take_lease',
          'renew_lease',
          'release_lease',
          'list_leases',
          'suggest_command',
          'project_commands',
          'explain_failure',
          'propose_note',
        ],
        decision: 'allow',
        priority: 100,
      },
    ],
  })
})
