import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/builders.ts'
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
  expect([await look.branch(root), await look.branch(join(root, 'sub')), await look.branch('/')]).toEqual([
    'trunk',
    'trunk',
    null,
  ])
  writeFileSync(join(root, '.git/HEAD'), `${'0'.repeat(40)}\n`)
  expect(await look.branch(root)).toBeNull()
})

test('a further work tree has a branch of its own', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'there'))
  writeFileSync(join(root, 'there/HEAD'), 'ref: refs/heads/side\n')
  writeFileSync(join(root, '.git'), 'gitdir: there\n')
  expect(await new GitLook(() => 0).branch(root)).toBe('side')
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
