import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { LaunchRequest } from '../contract/agent.ts'
import type { Driver, HookTransport } from './contract.ts'
import { guardCommand } from './guard.ts'
import { drivers } from './registry.ts'

const root = join(import.meta.dirname, '../..')
const [programs, skills] = [join(root, 'bin'), join(root, 'skills')]

const assetsOf = (driver: Driver, kind: HookTransport['kind'] = 'socket') => {
  const transport = { kind, url: 'http://127.0.0.1:9' }
  return driver.assets({ version: driver.minVersion, host: 'tmux', programs, skills, transport })
}

/** All that a launched agent is given, in one text. */
const launched = (driver: Driver, kind?: HookTransport['kind']): string => {
  const home = tempDir()
  const plan = driver.launch(LaunchRequest.parse({ cwd: home }), {
    installed: { path: `/bin/${driver.name}`, version: driver.minVersion },
    host: 'tmux',
    assets: '/assets',
    private: join(home, 'private'),
    env: { HOME: home },
    mcp: [],
    newConversation: '6b0e0f0e-1111-4222-8333-444455556666',
  })
  return JSON.stringify([assetsOf(driver, kind).filter(({ executable }) => !executable), plan])
}

const deployed = (driver: Driver): string =>
  JSON.stringify(
    driver.deployment({
      version: driver.minVersion,
      scope: 'project',
      project: '/home/dev/shop',
      env: { HOME: '/home/dev' },
      programs,
      isShared: false,
      hook: '/state/rein-hook',
      waiter: '/state/rein-wait',
      guard: '/state/rein-guard',
      mcp: ['rein', 'mcp'],
      skills: [],
    }),
  )

/** As it stands in a text that JSON was made of, once or twice. */
const calls = (text: string): string[] => text.match(/exec [\\"']*[^ ]*rein-guard[\\"']* \w+ \w+/g) ?? []

const byCommand = drivers.filter(({ name }) => name !== 'opencode')

describe.each(drivers)('$name', (driver) => {
  test('each launched agent has the guard, whatever the rules are now', () => {
    const guard = assetsOf(driver).find(({ path }) => path === 'rein-guard')
    expect(guard).toMatchObject({ executable: true, content: expect.stringMatching(/^#!\/bin\/sh\n/) })
  })

  test('it is set up for those that somebody starts by hand', () => {
    expect(deployed(driver)).toContain('/state/rein-guard')
  })
})

describe.each(byCommand)('$name', (driver) => {
  test('it is called once, before a tool, as a command', () => {
    for (const text of [launched(driver), launched(driver, 'http'), deployed(driver)])
      expect(calls(text)).toEqual([expect.stringMatching(/ (?:PreToolUse|preToolUse|BeforeTool)$/)])
  })
})

test('Claude Code takes a failure of the guard itself for a denial, where it knows how to', () => {
  const text = (version: string): string => {
    const [driver] = drivers.filter(({ name }) => name === 'claude')
    return JSON.stringify(assetsOf({ ...driver, minVersion: version } as Driver))
  }
  expect(text('2.1.294')).not.toContain('onFailure')
  expect(text('2.1.295').match(/onFailure\\": \\"block/g)).toHaveLength(1)
})

describe('a guard that is gone', () => {
  const status = (guards: string): number | null =>
    spawnSync('sh', ['-c', guardCommand('/nowhere/rein-guard', 'claude', 'PreToolUse')], {
      env: { PATH: process.env['PATH'], REIN_GUARDS: guards },
    }).status

  test('denies, whether or not there is a guard rule', () => {
    const guards = join(tempDir(), 'guards')
    expect(status(guards)).toBe(2)
    writeFileSync(guards, '')
    expect(status(guards)).toBe(2)
  })
})
