import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { originOf } from './origin.ts'
import { findPlace } from './place.ts'

const startRepository = () => {
  const root = join(realpathSync(tempDir()), 'shop')
  mkdirSync(join(root, 'src'), { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: root }
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { env, stdio: 'ignore' })
  git('init')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--allow-empty', '-m', 'first')
  return { root, env }
}

test('from anywhere in another repository, the place to import into is beside it', async () => {
  const { root, env } = startRepository()
  const from = (dir: string, isNamed: boolean) => findPlace({ repository: null, base: null }, dir, isNamed, env)
  const hint = expect.stringMatching(`^Name a new directory: --into '?${root}-2'?$`)
  await expect(from(join(root, 'src'), false)).rejects.toMatchObject({ code: 'usage', hint })
  await expect(from(join(root, 'src/new'), true)).rejects.toMatchObject({ code: 'refused', hint })
  await expect(from(root, true)).rejects.toMatchObject({ code: 'refused', hint })
})

test('a clone with changes says how to make a work tree of it, from any directory', async () => {
  const { root, env } = startRepository()
  writeFileSync(join(root, 'new.txt'), 'new')
  const repository = (await originOf(root, env))?.identity ?? null
  const hint = expect.stringMatching(`git -C '?${root}'? worktree add '?${root}-2'? and then --into '?${root}-2'?$`)
  await expect(findPlace({ repository, base: null }, root, true, env)).rejects.toMatchObject({ code: 'refused', hint })
})
