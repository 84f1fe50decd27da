import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { reinPaths } from '../../base/util/paths.ts'
import type { Settings } from '../../base/config/settings.ts'
import { weakenedIn } from './weakened.ts'

const parts = (transport: 'socket' | 'http') => ({
  paths: reinPaths({ env: { REIN_HOME: '/state' }, homedir: '/home/dev', platform: 'linux', uid: 1 }),
  settings: { 'hooks.transport': transport } as Settings,
})

const project = (file: string, content: string): string => {
  const cwd = tempDir()
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), content)
  return cwd
}

test.each([
  ['claude', '.claude/settings.json', '{"disableAllHooks":true}', 'setting disableAllHooks: true'],
  ['claude', '.claude/settings.local.json', '{"env":{"REIN_AGENT":"x","A":"b"}}', 'variable REIN_AGENT: x'],
  ['claude', '.claude/settings.json', '{"env":{"LD_PRELOAD":"./x.so"}}', 'variable LD_PRELOAD: ./x.so'],
  ['codex', '.codex/config.toml', '[features]\nhooks = false\n', 'setting features.hooks: false'],
  [
    'gemini',
    '.gemini/settings.json',
    '{"hooksConfig":{"disabled":["rein"]}}',
    'setting hooksConfig.disabled: ["rein"]',
  ],
])(
  '%s: %s with %s counts in an agent that was started by hand, and is outranked in a launched one',
  (driver, file, content, said) => {
    const cwd = project(file, content)
    expect(weakenedIn(parts('socket'), driver, cwd, false)).toEqual([`${join(cwd, file)}: ${said}`])
    expect(weakenedIn(parts('socket'), driver, cwd, true)).toEqual([])
  },
)

test('hooks over HTTP can be forbidden by a project, also in an agent that Rein launched', () => {
  const cwd = project('.claude/settings.json', '{"allowedHttpHookUrls":[]}')
  expect(weakenedIn(parts('http'), 'claude', cwd, true)).toEqual([
    expect.stringContaining('setting allowedHttpHookUrls: []'),
  ])
  expect(weakenedIn(parts('socket'), 'claude', cwd, true)).toEqual([])
})

test.each([
  ['gemini', '.gemini/settings.json', '{"hooksConfig":{"enabled":false}}'],
  ['copilot', '.github/copilot/settings.json', '{"disableAllHooks":true}'],
])('%s: %s with %s is outranked by nothing', (driver, file, content) => {
  const cwd = project(file, content)
  expect(weakenedIn(parts('socket'), driver, cwd, true)).toHaveLength(1)
})
