import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anAgent, tempDir } from '../../../test/support/builders.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { Deeds } from './deeds.ts'
import { GitLook } from './git.ts'
import { worldOf } from './world.ts'

const worldAt = (cwd: string, home = '/home/ada') =>
  worldOf(
    {
      git: new GitLook(() => 0),
      deeds: new Deeds({
        driver: () => claude,
        changesFiles: () => false,
        now: () => 0,
        since: 0,
        snapshots: () => [],
      }),
      now: () => 0,
      readShell: () => ({ runs: [], opaque: [] }),
      home: () => home,
      lease: (_, file) => Promise.resolve(file.endsWith('held.txt') ? 'other' : 'none'),
      budgetUsed: () => 2,
    },
    { cwd, subagent: null },
    anAgent(),
    null,
  )

test('real paths: links, also those that lead to nothing yet, dots and the home', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'real'))
  symlinkSync(join(root, 'real'), join(root, 'link'))
  symlinkSync('real/later.yaml', join(root, 'dangling'))
  symlinkSync('round', join(root, 'round'))
  const { realPath } = worldAt(root, join(root, 'link'))
  expect(await realPath('link/../link/new.txt')).toBe(join(root, 'real/new.txt'))
  expect(await realPath('dangling')).toBe(join(root, 'real/later.yaml'))
  expect(await realPath('~/x')).toBe(join(root, 'real/x'))
  expect(await realPath('round')).toBe(join(root, 'round'))
})

test('what is known of the agent, and of files', async () => {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'x')
  const world = worldAt(root)
  expect([await world.readFile('a.txt'), await world.readFile('b.txt')]).toEqual(['x', null])
  expect([await world.lease('held.txt'), await world.lease('a.txt'), world.budgetUsed()]).toEqual(['other', 'none', 2])
  expect(world.agent).toEqual({ handle: 'worker', driver: 'claude', host: 'stream', isSubagent: false })
})
