import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { pathText } from '../../src/features/sessions/snapshots/path-text.ts'
import { createSnapshotBox, rewind, type SnapshotBox } from '../support/snapshot-box.ts'
import { buildCorpus, ignoredFiles, oddNames, turnUpsideDown } from '../support/torture-corpus.ts'

const simpleTree = (): SnapshotBox => {
  const box = createSnapshotBox()
  box.git('init', '-q')
  box.write('.gitignore', '.env\n*.log\nnode_modules/\n')
  box.write('a.txt', 'one\n')
  box.write('src/b.txt', 'two\n')
  box.git('add', '-A')
  box.git('commit', '-qm', 'base')
  box.write('.env', 'TOKEN=1\n')
  box.write('node_modules/x/index.js', 'x\n')
  return box
}

describe('the torture corpus', () => {
  test('comes back exactly, in both directions, and the user’s git is untouched', async () => {
    const box = createSnapshotBox()
    buildCorpus(box)
    const [before, git] = [box.state(), box.gitState()]
    const shadow = await box.open()
    const first = await shadow.snapshot()
    turnUpsideDown(box)
    const changed = box.state()
    const second = await shadow.snapshot()
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    await rewind(shadow, second.id)
    expect(box.state()).toEqual(changed)
    await rewind(await box.open(), first.id)
    expect(box.state()).toEqual(before)
    expect(box.gitState()).toEqual(git)
    expect(Object.keys(before)).toEqual(expect.arrayContaining(ignoredFiles))
  })

  test('comes back even when nothing of it is left, but for what is ignored', async () => {
    const box = createSnapshotBox()
    buildCorpus(box)
    const before = box.state()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    for (const name of Object.keys(before))
      if (!name.includes('/')) rmSync(box.at(Buffer.from(name, 'latin1')), { force: true })
    for (const dir of ['dir', 'becomes-file', 'grüße', 'hollow', 'untracked', 'module', 'nested', 'fresh', 'ignored'])
      rmSync(box.at(dir), { recursive: true })
    await rewind(shadow, id)
    const expected = Object.entries(before).filter(([name]) => !ignoredFiles.includes(name) && name !== 'ignored/')
    expect(box.state()).toEqual(Object.fromEntries(expected))
  })

  test('says where the user’s git stood, and what each file was', async () => {
    const box = createSnapshotBox()
    buildCorpus(box)
    const shadow = await box.open()
    const snapshot = await shadow.snapshot()
    const asked = { head: box.git('rev-parse', 'HEAD').trim(), branch: 'main', index: box.git('write-tree').trim() }
    expect(snapshot).toMatchObject({ ...asked, skipped: [] })
    for (const name of oddNames)
      expect(await shadow.read(snapshot.id, pathText(Buffer.from(name)))).toEqual({
        kind: 'file',
        content: Buffer.from(`odd ${String(name)}\n`),
      })
    expect(await shadow.read(snapshot.id, 'link')).toEqual({ kind: 'link', content: Buffer.from('plain.txt') })
    expect(await shadow.read(snapshot.id, 'nested/changed')).toMatchObject({ content: Buffer.from('not committed\n') })
    expect(await shadow.read(snapshot.id, '.env')).toBeNull()
    expect(await shadow.read(snapshot.id, 'dir')).toBeNull()
  })
})

describe('what is ignored', () => {
  test('stays when an agent deletes the rules, and is no part of any later snapshot', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const before = box.state()
    rmSync(box.at('.gitignore'))
    box.write('made.txt', 'by the agent\n')
    const second = await shadow.snapshot()
    expect(await shadow.read(second.id, '.env')).not.toBeNull()
    const { kept, after } = await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    expect(kept.map((one) => one.path).toSorted()).toEqual(['.env', 'node_modules/x/index.js'])
    expect(after.tree).toBe(first.tree)
  })

  test('stays by the rules of .git/info/exclude and of all repositories, too, whoever changes them', async () => {
    const box = simpleTree()
    box.write('.git/info/exclude', '# mine\n/notes\n')
    mkdirSync(path.join(box.env['HOME'] ?? '', '.config/git'), { recursive: true })
    box.write('../home/.config/git/ignore', '*.swp\n')
    for (const file of ['notes', 'a.swp']) box.write(file, 'precious\n')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    expect(await shadow.read(first.id, 'notes')).toBeNull()
    for (const file of ['.git/info/exclude', '../home/.config/git/ignore']) rmSync(box.at(file))
    const { kept } = await rewind(shadow, first.id)
    expect([box.read('notes'), box.read('a.swp')]).toEqual(['precious\n', 'precious\n'])
    expect(kept).toEqual(expect.arrayContaining(['notes', 'a.swp'].map((name) => ({ path: name, reason: 'ignored' }))))
  })

  test('stays where the rules ignore themselves', async () => {
    const box = simpleTree()
    box.write('.gitignore', '.env\n.gitignore\nnode_modules/\n')
    box.git('rm', '-q', '--cached', '.gitignore')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    rmSync(box.at('.gitignore'))
    await rewind(shadow, first.id)
    expect(box.read('.gitignore')).toBe('.env\n.gitignore\nnode_modules/\n')
    expect(box.read('.env')).toBe('TOKEN=1\n')
  })

  test('stays in a directory that ignores itself, whether its rules are deleted or new', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('venv/.gitignore', '*\n')
    box.write('venv/bin/python', 'precious\n')
    const before = box.state()
    const second = await shadow.snapshot()
    expect(await shadow.read(second.id, 'venv/bin/python')).toBeNull()
    expect((await rewind(shadow, first.id)).kept).toEqual([{ path: 'venv/.gitignore', reason: 'ignored' }])
    expect(box.state()).toEqual(before)
    rmSync(box.at('venv/.gitignore'))
    await shadow.snapshot()
    await rewind(shadow, second.id)
    expect(box.state()).toEqual(before)
  })

  test('stays by rules in a file of the tree that only the settings name', async () => {
    const box = simpleTree()
    box.git('config', 'core.excludesFile', '.mine')
    box.write('.mine', 'secret\n')
    box.write('secret', 'precious\n')
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    expect(await shadow.read(id, 'secret')).toBeNull()
  })

  test('stays when the snapshot is older than the rules, and does not make the restore fail', async () => {
    const box = createSnapshotBox()
    box.write('a.txt', 'one\n')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('.gitignore', '.env\nout/\n')
    box.write('.env', 'TOKEN=1\n')
    mkdirSync(box.at('out/hollow'), { recursive: true })
    const { kept } = await rewind(shadow, first.id)
    expect(kept.map((one) => one.path).toSorted()).toEqual(['.env', 'out/hollow/'])
    expect([box.read('.env'), existsSync(box.at('out/hollow')), existsSync(box.at('.gitignore'))]).toEqual([
      'TOKEN=1\n',
      true,
      false,
    ])
  })

  test('is written over only when it is saved, and comes back', async () => {
    const box = simpleTree()
    box.write('config.local', 'first\n')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('.gitignore', 'config.local\n')
    rmSync(box.at('config.local'))
    await shadow.snapshot()
    box.write('config.local', 'second, and ignored\n')
    expect(await shadow.read((await shadow.snapshot()).id, 'config.local')).toBeNull()
    const { before } = await rewind(shadow, first.id)
    expect(box.read('config.local')).toBe('first\n')
    await rewind(shadow, before.id)
    expect(box.read('config.local')).toBe('second, and ignored\n')
  })

  test('is not deleted for a file that wants its place', async () => {
    const box = simpleTree()
    box.write('conf', 'a file\n')
    const shadow = await box.open()
    const first = await shadow.snapshot()
    rmSync(box.at('conf'))
    box.write('conf/.env', 'SECRET=1\n')
    box.write('conf/other', 'not ignored\n')
    const { kept } = await rewind(shadow, first.id)
    expect(kept).toEqual([{ path: 'conf', reason: 'in the way' }])
    expect(box.read('conf/.env')).toBe('SECRET=1\n')
    expect(existsSync(box.at('conf/other'))).toBe(false)
  })

  test('is held where somebody asks for it by name', async () => {
    const box = simpleTree()
    const shadow = await box.open({ include: ['.env', 'conf/*.local', '**/*.pem', 'nested/.secret'] })
    box.write('.gitignore', '.env\n*.local\n*.pem\nnode_modules/\n')
    box.write('conf/a.local', 'a\n')
    mkdirSync(box.at('nested'))
    box.gitIn('nested', 'init', '-q')
    box.write('nested/.gitignore', '*\n')
    for (const file of ['.secret', '.env', 'key.pem']) box.write(`nested/${file}`, 'theirs\n')
    const first = await shadow.snapshot()
    box.write('.env', 'TOKEN=2\n')
    await rewind(shadow, first.id)
    expect(box.read('.env')).toBe('TOKEN=1\n')
    const asked = ['conf/a.local', 'nested/.secret', 'nested/key.pem', 'nested/.env', 'node_modules/x/index.js']
    const found = await Promise.all(asked.map((file) => shadow.read(first.id, file)))
    expect(asked.filter((_, at) => found[at] !== null)).toEqual(['conf/a.local', 'nested/.secret', 'nested/key.pem'])
  })
})

describe('files over the limit', () => {
  const limits = { fileBytes: 1000 }
  const large = (letter: string): string => letter.repeat(2000)

  test('are named, and neither deleted nor written over', async () => {
    const box = simpleTree()
    box.write('small', 'small\n')
    const shadow = await box.open({ limits })
    const first = await shadow.snapshot()
    box.write('small', large('s'))
    box.write('large', large('l'))
    const second = await shadow.snapshot()
    expect(second.skipped.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'large', reason: 'too large', bytes: 2000 },
      { path: 'small', reason: 'too large', bytes: 2000 },
    ])
    const { kept } = await rewind(shadow, first.id)
    expect(kept).toEqual([{ path: 'small', reason: 'not saved' }])
    expect([box.read('small'), box.read('large')]).toEqual([large('s'), large('l')])
    box.write('large', 'no longer\n')
    box.write('small', 'again\n')
    const third = await shadow.snapshot()
    expect(third.skipped).toEqual([])
    expect((await rewind(shadow, second.id)).kept.map((one) => one.path).toSorted()).toEqual(['large', 'small'])
    expect(box.read('large')).toBe('no longer\n')
  })

  test('are held if the user’s repository has them', async () => {
    const box = simpleTree()
    box.write('tracked', large('t'))
    box.git('add', 'tracked')
    box.git('commit', '-qm', 'large')
    const shadow = await box.open({ limits })
    const first = await shadow.snapshot()
    box.write('tracked', large('u'))
    const second = await shadow.snapshot()
    expect(second.skipped).toEqual([])
    await rewind(shadow, first.id)
    expect(box.read('tracked')).toBe(large('t'))
    await rewind(shadow, second.id)
    expect(box.read('tracked')).toBe(large('u'))
  })

  test('too many of any size are refused before anything is read', async () => {
    const box = simpleTree()
    for (let n = 0; n < 12; n += 1) box.write(`many/${n}`, 'x')
    const shadow = await box.open({ limits: { files: 10 } })
    await expect(shadow.snapshot()).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('.gitignore'),
    })
  })
})

describe('a restore', () => {
  test('refuses what was edited since the snapshot for safety, and names it', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('a.txt', 'two\n')
    const safety = await shadow.snapshot({ before: first.id })
    box.write('a.txt', 'meanwhile\n')
    box.write('new.txt', 'meanwhile\n')
    const before = box.state()
    const refusal = { code: 'edited', paths: ['a.txt', 'new.txt'] }
    await expect(shadow.restore(first.id, { since: safety.id })).rejects.toMatchObject(refusal)
    expect(box.state()).toEqual(before)
    const restored = await shadow.restore(first.id, { since: safety.id, evenIfEdited: true })
    expect([box.read('a.txt'), existsSync(box.at('new.txt'))]).toEqual(['one\n', false])
    await rewind(shadow, restored.before.id)
    expect(box.state()).toEqual(before)
  })

  test('never goes through a link that has taken the place of a directory', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const outside = path.join(box.root, 'outside')
    mkdirSync(outside)
    box.write('../outside/b.txt', 'not mine\n')
    rmSync(box.at('src'), { recursive: true })
    symlinkSync(outside, box.at('src'))
    const second = await shadow.snapshot()
    await rewind(shadow, first.id)
    expect([box.read('src/b.txt'), box.read('../outside/b.txt')]).toEqual(['two\n', 'not mine\n'])
    await rewind(shadow, second.id)
    expect(box.read('../outside/b.txt')).toBe('not mine\n')
    expect(box.state()['src']).toBe(`link ${outside}`)
  })

  test('notices a file that was changed and given its old size and time', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const old = new Date('2020-01-01')
    box.write('a.txt', 'oNe\n')
    utimesSync(box.at('a.txt'), old, old)
    const second = await shadow.snapshot()
    box.write('a.txt', 'onE\n')
    utimesSync(box.at('a.txt'), old, old)
    const third = await shadow.snapshot()
    for (const [{ id }, text] of [
      [second, 'oNe\n'],
      [third, 'onE\n'],
      [first, 'one\n'],
    ] as const) {
      await rewind(shadow, id)
      expect(box.read('a.txt')).toBe(text)
    }
  })

  test('restores the permissions of files and of directories in which something changed', async () => {
    const box = simpleTree()
    box.write('keys/id', 'private\n', 0o600)
    chmodSync(box.at('keys'), 0o700)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const before = box.state()
    rmSync(box.at('keys'), { recursive: true })
    chmodSync(box.at('a.txt'), 0o4755)
    const second = await shadow.snapshot()
    const changed = box.state()
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    await rewind(shadow, second.id)
    expect(box.state()).toEqual(changed)
  })

  test('that cannot be verified says so, and the state before can be reached', async () => {
    const box = simpleTree()
    const { id } = await (await box.open()).snapshot()
    box.write('a.txt', 'two\n')
    const now = (): number => {
      if (box.read('a.txt') === 'one\n') throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      return Date.now()
    }
    const shadow = await box.open({ ports: { now, env: box.env } })
    const safety = await shadow.snapshot({ before: id })
    const said = { code: 'unverified', message: expect.stringContaining(safety.id) }
    await expect(shadow.restore(id, { since: safety.id })).rejects.toMatchObject(said)
    expect(box.read('a.txt')).toBe('one\n')
    await rewind(await box.open(), safety.id)
    expect(box.read('a.txt')).toBe('two\n')
  })

  test('of a snapshot that there is not is refused', async () => {
    const box = simpleTree()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    for (const unknown of ['f'.repeat(40), 'HEAD', '../x'])
      await expect(shadow.restore(unknown, { since: id })).rejects.toMatchObject({ code: 'unknown_snapshot' })
  })
})

describe('a difference', () => {
  test('has every path with its kind and its lines, the same in a preview', async () => {
    const box = createSnapshotBox()
    buildCorpus(box)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    turnUpsideDown(box)
    const second = await shadow.snapshot()
    const changes = await shadow.diff(first.id, second.id)
    const of = (name: string): unknown => changes.find((change) => change.path === name)
    expect(of('plain.txt')).toEqual({ path: 'plain.txt', kind: 'modified', added: 2, removed: 1, isBinary: false })
    expect(of('binary.raw')).toMatchObject({ kind: 'modified', isBinary: true, added: null })
    expect(of('dangling')).toMatchObject({ kind: 'type' })
    expect(of('run.sh')).toMatchObject({ kind: 'mode' })
    expect(of('private.key')).toMatchObject({ kind: 'mode' })
    expect(of('becomes-dir')).toMatchObject({ kind: 'deleted' })
    expect(of('becomes-dir/a/b')).toMatchObject({ kind: 'added' })
    expect(of('nested/committed')).toMatchObject({ kind: 'modified', added: 1, removed: 1 })
    expect(of('new-hollow/')).toMatchObject({ kind: 'added' })
    expect(of('hollow/inner/')).toMatchObject({ kind: 'deleted' })
    expect(of('staged')).toMatchObject({ kind: 'modified' })
    const { changes: back, kept, now } = await shadow.preview(first.id)
    expect(back.map((change) => change.path)).toEqual(changes.map((change) => change.path))
    expect(kept).toEqual([])
    expect(now.tree).toBe(second.tree)
    expect(await shadow.same(now.id, second.id)).toBe(true)
    expect(await shadow.same(now.id, first.id)).toBe(false)
  })
})
