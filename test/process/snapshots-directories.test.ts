import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSnapshotBox, rewind, type SnapshotBox } from '../support/snapshot-box.ts'

const repository = (): SnapshotBox => {
  const box = createSnapshotBox()
  box.git('init', '-q')
  box.write('.gitignore', '*.log\n')
  box.write('a.txt', 'one\n')
  box.write('src/b.txt', 'two\n')
  box.write('src/deep/c.txt', 'three\n')
  box.git('add', '-A')
  box.git('commit', '-qm', 'base')
  return box
}

/** Git believes that no file was touched since it looked, as in a tree that nobody has worked in for a while. */
const settle = ({ tree }: SnapshotBox): void => {
  const later = new Date(Date.now() + 10_000)
  utimesSync(path.join(tree, '.git/index'), later, later)
}

/** Back, forth, and back again by somebody who knows nothing yet: what is found each time, and what should be. */
const bothWays = async (box: SnapshotBox, edit: () => void): Promise<{ found: unknown[]; wanted: unknown[] }> => {
  const shadow = await box.open()
  const first = { state: box.state(), ...(await shadow.snapshot()) }
  edit()
  const second = { state: box.state(), ...(await shadow.snapshot()) }
  const found: unknown[] = []
  for (const [who, { id }] of [
    [shadow, first],
    [shadow, second],
    [await box.open(), first],
  ] as const)
    found.push((await rewind(who, id)).after.tree, box.state())
  return { found, wanted: [first, second, first].flatMap(({ tree, state }) => [tree, state]) }
}

describe('directories come back', () => {
  test('that have lost all their files, committed or not', async () => {
    const box = repository()
    box.write('new/x/y', 'y\n')
    const { found, wanted } = await bothWays(box, () => {
      for (const file of ['src/b.txt', 'new/x/y']) rmSync(box.at(file))
      renameSync(box.at('src/deep/c.txt'), box.at('c.txt'))
    })
    expect(found).toEqual(wanted)
  })

  test('with their permissions, when nothing else has changed', async () => {
    const box = repository()
    settle(box)
    chmodSync(box.at('src/deep'), 0o711)
    const { found, wanted } = await bothWays(box, () => {
      chmodSync(box.at('src'), 0o700)
      chmodSync(box.at('src/deep'), 0o755)
    })
    expect(found).toEqual(wanted)
  })

  test('with their permissions, when they were moved', async () => {
    const box = repository()
    box.write('keys/a/k', 'k', 0o600)
    chmodSync(box.at('keys/a'), 0o700)
    const { found, wanted } = await bothWays(box, () => {
      renameSync(box.at('keys'), box.at('src/keys'))
      chmodSync(box.at('src/keys/a'), 0o750)
    })
    expect(found).toEqual(wanted)
  })

  test('where a link to another one has taken their place', async () => {
    const box = repository()
    box.write('other/b.txt', 'other\n')
    const { found, wanted } = await bothWays(box, () => {
      rmSync(box.at('src'), { recursive: true })
      symlinkSync('other', box.at('src'))
    })
    expect(found).toEqual(wanted)
  })

  test.each([
    ['a repository', repository],
    ['a directory without git', createSnapshotBox],
  ])('when there are more of them than git can be told, in %s', async (_, make) => {
    const box = make()
    for (let n = 0; n < 210; n += 1) box.write(`u${n}/f`, `${n}`)
    mkdirSync(box.at('u3/hollow'))
    mkdirSync(box.at('hollow/inner'), { recursive: true })
    const { found, wanted } = await bothWays(box, () => {
      for (let n = 0; n < 210; n += 2) rmSync(box.at(`u${n}`), { recursive: true })
      box.write('u1/f', 'changed\n')
      mkdirSync(box.at('new-hollow'))
    })
    expect(found).toEqual(wanted)
  })

  test('when they are repositories in one another, in a directory without git', async () => {
    const box = createSnapshotBox()
    const dirs = ['one', 'one/two', 'one/two/three']
    for (const dir of dirs) {
      mkdirSync(box.at(dir))
      box.gitIn(dir, 'init', '-q')
      box.write(`${dir}/file`, `${dir}\n`)
    }
    chmodSync(box.at('one/two'), 0o700)
    const { found, wanted } = await bothWays(box, () => {
      for (const dir of dirs) box.write(`${dir}/more`, 'more\n')
      rmSync(box.at('one/two/file'))
      chmodSync(box.at('one/two'), 0o755)
      chmodSync(box.at('one/two/three'), 0o711)
    })
    expect(found).toEqual(wanted)
  })
})

describe('directories stay', () => {
  test('when something ignored is in them', async () => {
    const box = repository()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    rmSync(box.at('src'), { recursive: true })
    const second = await shadow.snapshot()
    await rewind(shadow, first.id)
    box.write('src/deep/x.log', 'precious\n')
    await rewind(shadow, second.id)
    expect([box.read('src/deep/x.log'), readdirSync(box.at('src'))]).toEqual(['precious\n', ['deep']])
  })

  test('closed to others when what is ignored in them is all that was there', async () => {
    const box = repository()
    box.write('secrets/key.log', 'precious\n', 0o600)
    chmodSync(box.at('secrets'), 0o700)
    const before = box.state()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    box.write('secrets/note', 'by the agent\n')
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
  })

  test('as they are below a link that leads out of the tree', async () => {
    const box = repository()
    box.write('../outside/deep/c.txt', 'not mine\n')
    chmodSync(box.at('../outside/deep'), 0o700)
    rmSync(box.at('src'), { recursive: true })
    symlinkSync('../outside', box.at('src'))
    const shadow = await box.open()
    const first = await shadow.snapshot()
    chmodSync(box.at('../outside/deep'), 0o711)
    expect((await shadow.snapshot()).tree).toBe(first.tree)
  })

  test('as a whole in a tree that was deleted itself, and made anew', async () => {
    const box = repository()
    const shadow = await box.open()
    const first = await shadow.snapshot()
    const before = box.state()
    rmSync(box.tree, { recursive: true })
    await expect(shadow.snapshot()).rejects.toMatchObject({ code: 'git_failed' })
    mkdirSync(box.tree)
    await rewind(shadow, first.id)
    expect(box.state()).toEqual(before)
    expect(existsSync(box.at('.rein-restore'))).toBe(false)
  })
})
