import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { GitLook } from './git.ts'

const repository = (): string => {
  const root = tempDir()
  execFileSync('git', ['init', '-q', '-b', 'trunk', root])
  mkdirSync(join(root, 'sub'))
  return root
}

test('the branch, from any directory of the work tree', async () => {
  const root = repository()
  const look = new GitLook(() => 0)
  expect([look.branch(root), look.branch(join(root, 'sub')), look.branch('/')]).toEqual(['trunk', 'trunk', null])
  writeFileSync(join(root, '.git/HEAD'), `${'0'.repeat(40)}\n`)
  expect(look.branch(root)).toBeNull()
})

test('a further work tree has a branch of its own', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'there'))
  writeFileSync(join(root, 'there/HEAD'), 'ref: refs/heads/side\n')
  writeFileSync(join(root, '.git'), 'gitdir: there\n')
  expect(new GitLook(() => 0).branch(root)).toBe('side')
})

test('the same directory in another work tree of the repository', async () => {
  const root = repository()
  const [tree, other] = [join(root, '.claude/worktrees/x'), join(root, 'vendor')]
  execFileSync('git', [
    '-C',
    root,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'x',
  ])
  execFileSync('git', ['-C', root, 'worktree', 'add', '-q', '--detach', tree])
  execFileSync('git', ['init', '-q', other])
  const look = new GitLook(() => 0)
  expect(look.rootBeside(root, join(tree, 'gen/a.ts'))).toBe(tree)
  expect(look.rootBeside(join(root, 'sub'), join(tree, 'gen/a.ts'))).toBe(join(tree, 'sub'))
  expect(look.rootBeside(tree, join(root, 'gen/a.ts'))).toBe(root)
  expect(look.rootBeside(root, join(root, 'gen/a.ts'))).toBeNull()
  expect(look.rootBeside(root, join(other, 'gen/a.ts'))).toBeNull()
})

test('whether it is dirty is believed for a second', async () => {
  const root = repository()
  const clock = { now: 0 }
  const look = new GitLook(() => clock.now)
  expect([await look.isDirty(root), await look.isDirty('/')]).toEqual([false, false])
  writeFileSync(join(root, 'new.txt'), 'x')
  expect(await look.isDirty(root)).toBe(false)
  clock.now = 1001
  expect(await look.isDirty(root)).toBe(true)
})

test('in doubt it is dirty', async () => {
  const look = new GitLook(
    () => 0,
    () => Promise.reject(new Error('no git')),
  )
  expect(await look.isDirty(repository())).toBe(true)
})
