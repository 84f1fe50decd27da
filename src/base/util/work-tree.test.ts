import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { branchIn, sharedGit, workTree } from './work-tree.ts'

/** A directory whose `.git` is one. */
const aRepository = (head: string): string => {
  const root = tempDir()
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'HEAD'), head)
  return root
}

const branchOf = (cwd: string): string | null => {
  const tree = workTree(cwd)
  return tree === null ? null : branchIn(tree.git)
}

test.each([
  ['ref: refs/heads/main\n', 'main'],
  ['ref: refs/heads/feature/a b\n', 'feature/a b'],
  ['ref: refs/heads/main\nref: refs/heads/other\n', 'main'],
  ['0123456789012345678901234567890123456789\n', null],
  ['ref: refs/remotes/origin/main\n', null],
  ['ref: refs/heads/ \n', null],
  ['', null],
])('HEAD %j names the branch %j', (head, branch) => {
  const root = aRepository(head)
  mkdirSync(join(root, 'src', 'deep'), { recursive: true })
  expect(branchOf(join(root, 'src', 'deep'))).toBe(branch)
})

test('a further work tree has its own branch and shares the git directory', () => {
  const root = tempDir()
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one')
  git('worktree', 'add', '-q', '-b', 'side', join(root, 'beside'))
  expect([branchOf(root), branchOf(join(root, 'beside'))]).toEqual(['main', 'side'])
  const [here, there] = [workTree(root), workTree(join(root, 'beside'))]
  expect(sharedGit(here?.git ?? '')).toBe(sharedGit(there?.git ?? '-'))
})

test('of a huge HEAD only the beginning is read', () => {
  const root = aRepository(`ref: refs/heads/${'x'.repeat(10_000_000)}`)
  expect(branchOf(root)?.length).toBeLessThan(10_000)
})

test('a pipe in place of one of its files is not waited for', () => {
  const root = tempDir()
  execFileSync('mkfifo', [join(root, '.git')])
  expect(workTree(root)?.root).not.toBe(root)
  const other = tempDir()
  mkdirSync(join(other, '.git'))
  execFileSync('mkfifo', [join(other, '.git', 'HEAD'), join(other, '.git', 'commondir')])
  expect(branchOf(other)).toBeNull()
  expect(sharedGit(join(other, '.git'))).toBe(realpathSync(join(other, '.git')))
})
