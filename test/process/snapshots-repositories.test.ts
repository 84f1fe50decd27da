import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSnapshotBox, rewind, type SnapshotBox } from '../support/snapshot-box.ts'

const repository = (): SnapshotBox => {
  const box = createSnapshotBox()
  box.git('init', '-q')
  commitFiles(box)
  return box
}

const commitFiles = ({ git, write }: SnapshotBox): void => {
  write('.gitignore', '*.log\n')
  write('a.txt', 'committed\n')
  write('dir/b.txt', 'committed too\n')
  git('add', '-A')
  git('commit', '-qm', 'base')
}

describe('what the user’s git does', () => {
  test('takes nothing from a snapshot: reset, gc, and at last no repository at all', async () => {
    const box = repository()
    box.write('a.txt', 'staged only\n')
    box.git('add', 'a.txt')
    box.write('dir/b.txt', 'changed\n')
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.git('reset', '-q', '--hard')
    box.git('reflog', 'expire', '--expire=now', '--all')
    box.git('gc', '-q', '--prune=now')
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    rmSync(box.at('.git'), { recursive: true })
    rmSync(box.at('dir'), { recursive: true })
    rmSync(box.at('a.txt'))
    await rewind(await box.open(), first.id)
    expect(box.state()).toEqual(before)
  })

  test('is not changed: no ref, no object, no lock', async () => {
    const box = repository()
    box.git('config', 'core.hooksPath', 'hooks')
    box.write('hooks/post-checkout', '#!/bin/sh\ntouch called\n', 0o755)
    box.write('hooks/reference-transaction', '#!/bin/sh\ntouch called\n', 0o755)
    const git = box.gitState()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('a.txt', 'changed\n')
    await rewind(shadow, first.id)
    expect(box.gitState()).toEqual(git)
    expect(existsSync(box.at('called'))).toBe(false)
  })

  test('may hide files from itself, but not from snapshots', async () => {
    const box = repository()
    box.git('update-index', '--assume-unchanged', 'a.txt')
    box.git('sparse-checkout', 'set', '--no-cone', 'a.txt', '.gitignore')
    expect(existsSync(box.at('dir'))).toBe(false)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('a.txt', 'changed\n')
    box.write('dir/b.txt', 'written all the same\n')
    const second = await shadow.snapshot()
    await rewind(shadow, first.id)
    expect([box.read('a.txt'), existsSync(box.at('dir'))]).toEqual(['committed\n', false])
    await rewind(shadow, second.id)
    expect([box.read('a.txt'), box.read('dir/b.txt')]).toEqual(['changed\n', 'written all the same\n'])
  })

  const formats = [
    ['an index of version 4', ['update-index', '--index-version', '4']],
    ['a split index', ['update-index', '--split-index']],
    ['everything packed', ['gc', '-q']],
  ] as const
  test.each(formats)('may keep its index and its objects as it likes: %s', async (_, command) => {
    const box = repository()
    box.git(...command)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const before = box.state()
    rmSync(box.at('dir'), { recursive: true })
    box.write('a.txt', 'changed\n')
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
  })

  test('may count in SHA-256', async () => {
    const box = createSnapshotBox()
    box.git('init', '-q', '--object-format=sha256')
    commitFiles(box)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    expect(first.id).toHaveLength(64)
    box.write('a.txt', 'changed\n')
    await rewind(shadow, first.id)
    expect(box.read('a.txt')).toBe('committed\n')
  })
})

describe('a directory without git', () => {
  test('has snapshots as well, also when git comes later', async () => {
    const box = createSnapshotBox()
    box.write('a.txt', 'one\n')
    box.write('.gitignore', '*.log\n')
    box.write('x.log', 'ignored\n')
    mkdirSync(box.at('hollow'))
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    expect(first).toMatchObject({ head: null, branch: null, index: null })
    box.git('init', '-q')
    box.write('a.txt', 'two\n')
    box.write('b.txt', 'two\n')
    box.git('add', '-A')
    box.git('commit', '-qm', 'first')
    const git = box.gitState()
    const second = await shadow.snapshot()
    expect(second).toMatchObject({ branch: 'main', head: expect.stringMatching(/^\w{40}$/) })
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    expect(box.gitState()).toEqual(git)
  })

  test('is one where the repository around it ignores it', async () => {
    const box = repository()
    box.write('.gitignore', 'inner/\n')
    box.write('inner/file', 'one\n')
    const inner = await box.open({ tree: path.join(box.tree, 'inner') })
    expect(inner.tree).toBe(path.join(box.tree, 'inner'))
    const { id } = await inner.snapshot()
    expect(await inner.read(id, 'file')).not.toBeNull()
    expect((await box.open({ tree: path.join(box.tree, 'dir') })).tree).toBe(box.tree)
  })

  test('may have permissions of its own by default', async () => {
    const box = createSnapshotBox()
    for (const name of ['a', 'b', 'c']) box.write(name, `${name}\n`, 0o664)
    box.write('run', '#!/bin/sh\n', 0o775)
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    for (const name of ['a', 'b', 'run']) rmSync(box.at(name))
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
  })
})

describe('a linked work tree', () => {
  test('has snapshots of its own, and nothing of it is in those of the tree it lies in', async () => {
    const box = repository()
    box.git('worktree', 'add', '-q', 'linked')
    const outer = await box.open()
    const inner = await box.open({ tree: path.join(box.tree, 'linked') })
    const [first, own] = [await outer.snapshot(), await inner.snapshot()]
    expect(first.skipped).toEqual([{ path: 'linked/', reason: 'work tree', bytes: 0 }])
    expect(own.branch).toBe('linked')
    box.write('a.txt', 'changed\n')
    box.write('linked/a.txt', 'changed there\n')
    box.write('linked/new.txt', 'new there\n')
    await rewind(outer, first.id)
    expect([box.read('a.txt'), box.read('linked/a.txt')]).toEqual(['committed\n', 'changed there\n'])
    await rewind(inner, own.id)
    expect([box.read('linked/a.txt'), existsSync(box.at('linked/new.txt'))]).toEqual(['committed\n', false])
  })
})

describe('a repository in the tree', () => {
  const nest = (box: SnapshotBox, dir: string): void => {
    mkdirSync(box.at(dir), { recursive: true })
    box.gitIn(dir, 'init', '-q')
    box.write(`${dir}/file`, 'theirs\n')
    box.gitIn(dir, 'add', '-A')
    box.gitIn(dir, 'commit', '-qm', 'theirs')
  }

  test('that a snapshot does not know is left alone', async () => {
    const box = repository()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    nest(box, 'cloned/deep')
    mkdirSync(box.at('cloned/deep/hollow'))
    const cloned = box.state()
    const { kept } = await rewind(shadow, first.id)
    expect(kept).toEqual([{ path: 'cloned/deep/file', reason: 'repository' }])
    expect(box.state()).toEqual(cloned)
  })

  test('that was made of a directory changes nothing about its files', async () => {
    const box = repository()
    box.write('later/x', 'x\n')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const before = box.state()
    box.gitIn('later', 'init', '-q')
    box.write('later/x', 'changed\n')
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    expect(existsSync(box.at('later/.git/HEAD'))).toBe(true)
  })

  test('that was deleted as a whole gets its files back', async () => {
    const box = repository()
    nest(box, 'vendor/lib')
    box.write('vendor/lib/changed', 'not committed\n')
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const head = box.gitIn('vendor/lib', 'rev-parse', 'HEAD').trim()
    rmSync(box.at('vendor'), { recursive: true })
    const { withoutGit } = await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    expect(withoutGit).toEqual([{ path: 'vendor/lib', head }])
  })

  test('that is a submodule is a submodule again', async () => {
    const box = repository()
    nest(box, '../origin')
    box.git('submodule', '--quiet', 'add', '../origin', 'module')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const head = box.gitIn('module', 'rev-parse', 'HEAD')
    rmSync(box.at('module'), { recursive: true })
    await rewind(shadow, first.id)
    expect(box.gitIn('module', 'rev-parse', 'HEAD')).toBe(head)
    expect(box.gitIn('module', 'status', '--porcelain')).toBe('')
  })

  test('that is broken does not keep snapshots from being taken', async () => {
    const box = repository()
    box.write('broken/.git/HEAD', 'nonsense\n')
    box.write('broken/file', 'held\n')
    box.write('lost/.git', 'gitdir: /nowhere\n')
    box.write('lost/file', 'held\n')
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    expect(await shadow.read(id, 'broken/file')).not.toBeNull()
    expect(await shadow.read(id, 'lost/file')).not.toBeNull()
  })
})

describe('a fork', () => {
  test('is a work tree on the commit of then, with the files of then', async () => {
    const box = repository()
    const head = box.git('rev-parse', 'HEAD').trim()
    box.write('a.txt', 'changed\r\n')
    box.write('private', 'p\n', 0o600)
    mkdirSync(box.at('hollow'))
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('a.txt', 'later\n')
    box.git('commit', '-qam', 'later')
    const [later, index] = [box.state(), readFileSync(box.at('.git/index'))]
    const dir = path.join(box.root, 'fork')
    expect(await shadow.fork(first.id, dir)).toEqual({ dir, head })
    expect(box.state(dir)).toEqual(before)
    expect(box.gitIn('../fork', 'status', '--porcelain')).toBe(' M a.txt\n?? private\n')
    expect(box.gitIn('../fork', 'rev-parse', 'HEAD').trim()).toBe(head)
    expect([box.state(), readFileSync(box.at('.git/index'))]).toEqual([later, index])
    await expect(shadow.fork(first.id, dir)).rejects.toMatchObject({ code: 'not_empty' })
  })

  test('of a directory without git is a directory, whatever the umask', async () => {
    const box = createSnapshotBox()
    box.write('a', 'a\n')
    box.write('run', '#!/bin/sh\n', 0o755)
    box.write('nested/deep/b', 'b\n')
    mkdirSync(box.at('hollow/inner'), { recursive: true })
    box.gitIn('nested/deep', 'init', '-q')
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    const umask = process.umask(0o077)
    try {
      expect(await shadow.fork(id, path.join(box.root, 'fork'))).toMatchObject({ head: null })
    } finally {
      process.umask(umask)
    }
    expect(box.state(path.join(box.root, 'fork'))).toEqual(box.state())
  })

  test('that fails leaves nothing behind', async () => {
    const box = repository()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    rmSync(box.at('.git/objects'), { recursive: true })
    mkdirSync(box.at('.git/objects'))
    await expect(shadow.fork(id, path.join(box.root, 'fork'))).rejects.toMatchObject({ code: 'git_failed' })
    expect(existsSync(path.join(box.root, 'fork'))).toBe(false)
  })
})

describe('the room that snapshots take', () => {
  const packs = (box: SnapshotBox): string[] =>
    readdirSync(box.shadows).flatMap((key) => readdirSync(path.join(box.shadows, key, 'objects/pack')))

  test('is given back by gc; what is kept stays, and so does what is fresh', async () => {
    const box = repository()
    let now = Date.now()
    const shadow = await box.open({ ports: { now: () => now, env: box.env } })
    const states = []
    const ids: string[] = []
    for (const text of ['one', 'two', 'three', 'four']) {
      box.write('a.txt', `${text}\n`.repeat(1000))
      box.write(`only-${text}`, text)
      ids.push((await shadow.snapshot()).id)
      states.push(box.state())
    }
    const [first = '', second = '', , fourth = ''] = ids
    now += 2 * 60 * 60_000
    box.write('fresh', 'fresh\n')
    const fresh = await shadow.snapshot()
    const usage = await shadow.usage()
    await shadow.gc({ keep: [first, fourth] })
    expect((await shadow.usage()).bytes).toBeLessThan(usage.bytes)
    await expect(shadow.diff(first, second)).rejects.toMatchObject({ code: 'unknown_snapshot' })
    await rewind(shadow, first)
    expect(box.state()).toEqual(states[0])
    await rewind(shadow, fresh.id)
    await rewind(await box.open(), fourth)
    expect(box.state()).toEqual(states[3])
    await shadow.gc({ keep: [] })
    const { id } = await shadow.snapshot()
    expect(await shadow.read(id, 'dir/b.txt')).not.toBeNull()
  })

  test('is not given back of what nobody has saved again since', async () => {
    const box = repository()
    box.write('untracked', 'only here\n')
    let now = Date.now() + 1000
    const ports = { now: () => now, env: box.env }
    const [shadow, other] = [await box.open({ ports }), await box.open({ ports })]
    await shadow.snapshot()
    await other.snapshot()
    now += 2 * 60 * 60_000
    await other.gc({ keep: [] })
    for (const one of [shadow, other]) {
      const { id } = await one.snapshot()
      expect(await one.read(id, 'untracked')).toMatchObject({ content: Buffer.from('only here\n') })
    }
  })

  test('is shared with the user’s repository as long as that has the same packs', async () => {
    const box = repository()
    box.write('big', Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251)))
    box.git('add', '-A')
    box.git('commit', '-qm', 'big')
    box.git('gc', '-q')
    const before = box.state()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    const shared = packs(box)
    expect((await shadow.usage()).sharedBytes).toBeGreaterThan(0)
    await shadow.gc({ keep: [id] })
    expect(packs(box)).toEqual(expect.arrayContaining(shared))
    box.git('commit', '-q', '--allow-empty', '-m', 'more')
    box.git('gc', '-q', '--prune=now')
    await shadow.gc({ keep: [id] })
    expect(packs(box).filter((name) => shared.includes(name))).toEqual([])
    rmSync(box.at('big'))
    await rewind(shadow, id)
    expect(box.state()).toEqual(before)
  })

  test('is nothing when they are forgotten', async () => {
    const box = repository()
    const shadow = await box.open()
    await shadow.snapshot()
    await shadow.forget()
    expect(readdirSync(box.shadows)).toEqual([])
    const again = await box.open()
    expect((await again.snapshot()).skipped).toEqual([])
  })

  test('may lie in the tree itself, and is no part of it', async () => {
    const box = createSnapshotBox()
    box.write('a', 'a\n')
    const shadow = await box.open({ dir: path.join(box.tree, 'state of rein/[x]') })
    const first = await shadow.snapshot()
    const second = await shadow.snapshot()
    expect(second.tree).toBe(first.tree)
    writeFileSync(box.at('a'), 'b\n')
    await rewind(shadow, first.id)
    expect(box.read('a')).toBe('a\n')
    expect(lstatSync(box.at('state of rein')).isDirectory()).toBe(true)
  })
})
