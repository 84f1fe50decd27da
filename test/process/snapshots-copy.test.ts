import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openShadow } from '../../src/features/sessions/snapshots/shadow.ts'
import { createSnapshotBox, type SnapshotBox } from '../support/snapshot-box.ts'

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()

/** A copy of the files as they are, and the tree id that a snapshot of it has. */
const copyOf = async (box: SnapshotBox): Promise<{ dir: string; trees: string[]; lists: unknown[] }> => {
  const [dir, shadows] = [join(box.tree, '../copy'), join(box.tree, '../copy-shadows')]
  const shadow = await box.open()
  const taken = await shadow.snapshot()
  await shadow.copy(taken.id, dir, shadows)
  const own = await openShadow({ dir: shadows, tree: dir, ports: { now: Date.now, env: process.env } })
  const again = await own.snapshot()
  return { dir, trees: [taken.tree, again.tree], lists: [await shadow.list(taken.id), await own.list(again.id)] }
}

test('a copy has the files and the history, and the repository that it comes from never hears of it', async () => {
  const box = createSnapshotBox()
  box.git('init', '-q', '-b', 'main')
  box.write('a.txt', 'one\n')
  box.write('odd.sh', 'echo\n')
  chmodSync(box.at('odd.sh'), 0o700)
  box.git('add', '-A')
  box.git('commit', '-qm', 'base')
  box.git('branch', 'other')
  box.git('remote', 'add', 'origin', 'https://example.org/shop.git')
  box.write('a.txt', 'two\n')
  mkdirSync(box.at('empty'))
  const before = box.gitState()

  const { dir, trees, lists } = await copyOf(box)
  expect(trees[1]).toBe(trees[0])
  expect(lists[1]).toEqual(lists[0])
  expect(box.state(dir)).toEqual(box.state())
  expect(git(dir, 'log', '--oneline', 'HEAD')).toBe(git(box.tree, 'log', '--oneline', 'HEAD'))
  expect(git(dir, 'branch', '--format=%(refname:short)')).toBe('main\nother')
  expect(git(dir, 'status', '--porcelain')).toBe('M a.txt')
  expect(git(dir, 'remote')).toBe('')

  writeFileSync(join(dir, 'new.txt'), 'new\n')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'more')
  expect(box.gitState()).toEqual(before)
  expect(() => git(box.tree, 'cat-file', '-e', git(dir, 'rev-parse', 'HEAD'))).toThrow('Command failed')
})

test('a directory without git is copied as one, also when its modes are not the usual ones', async () => {
  const box = createSnapshotBox()
  box.write('a.txt', 'one\n')
  const shadow = await box.open()
  await shadow.snapshot()
  for (const name of ['b', 'c', 'd']) {
    box.write(name, name)
    chmodSync(box.at(name), 0o600)
  }
  const { dir, trees } = await copyOf(box)
  expect(trees[1]).toBe(trees[0])
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('one\n')
})
