import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { makeTree, removeTree, treeFor, treesNamed } from './worktrees.ts'

const gitIn = (cwd: string, ...args: string[]): string => {
  const person = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...person, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** A repository with a commit, and in it the work tree of a task. */
const place = async () => {
  const root = join(tempDir(), 'project')
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', root])
  gitIn(root, 'commit', '--quiet', '--allow-empty', '-m', 'Begin')
  const tree = await treeFor(root, 'parser', null)
  await makeTree(root, tree)
  return { root, tree, git: (...args: string[]) => gitIn(root, ...args) }
}

test('a new file is kept, also where git is set up to say nothing of such', async () => {
  const { root, tree, git } = await place()
  git('config', 'status.showUntrackedFiles', 'no')
  writeFileSync(join(tree.path, 'draft.txt'), 'precious')
  expect(await removeTree(root, tree, false)).toContain('not committed')
  expect(readFileSync(join(tree.path, 'draft.txt'), 'utf8')).toBe('precious')
})

test('a tree in which its agent went to another branch is used as it is, and goes only by force', async () => {
  const { root, tree, git } = await place()
  gitIn(tree.path, 'switch', '--quiet', '-c', 'mine')
  gitIn(tree.path, 'commit', '--quiet', '--allow-empty', '-m', 'Mine')
  await makeTree(root, tree)
  expect(await removeTree(root, tree, false)).toContain('on the branch mine')
  expect(await removeTree(root, tree, true)).toBeNull()
  expect([existsSync(tree.path), git('log', '-1', '--format=%s', 'mine')]).toEqual([false, 'Mine'])
})

test('commits that no branch names are not even removed by force', async () => {
  const { root, tree } = await place()
  gitIn(tree.path, 'switch', '--quiet', '--detach')
  expect(await removeTree(root, tree, true)).toContain('on no branch')
  expect(existsSync(tree.path)).toBe(true)
})

test('one that was deleted is made again, or forgotten; one of somebody else that is away is neither', async () => {
  const { root, tree, git } = await place()
  const other = join(root, '../disk')
  git('worktree', 'add', '--quiet', '-b', 'theirs', other)
  renameSync(other, `${other}-away`)
  rmSync(tree.path, { recursive: true })
  await makeTree(root, tree)
  expect(existsSync(join(tree.path, '.git'))).toBe(true)
  rmSync(tree.path, { recursive: true })
  expect(await removeTree(root, tree, false)).toBeNull()
  expect(git('worktree', 'list', '--porcelain')).toContain('refs/heads/theirs')
  expect(git('branch', '--list', 'rein/*')).toBe('')
})

test('those with the name of a task are its own, and no others', async () => {
  const { root, tree } = await place()
  for (const name of ['parser-2', 'parser-x', 'parser2']) await makeTree(root, await treeFor(root, name, null))
  const { path, branch } = await treeFor(root, 'parser-2', null)
  expect(await treesNamed(root, 'parser', null)).toEqual([tree, { path, branch }])
})
