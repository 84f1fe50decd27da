import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dirMode,
  EditedTree,
  type Entry,
  editTree,
  fileMode,
  findEntry,
  formatTree,
  linkMode,
  parseTree,
  type Tree,
  type TreeStore,
} from './tree.ts'

const idOf = (text: string): string => createHash('sha1').update(text).digest('hex')
const file = (text: string): Entry => ({ mode: fileMode, id: idOf(text) })

const inMemory = (): TreeStore & { reads: string[] } => {
  const trees = new Map<string, Buffer>()
  const reads: string[] = []
  return {
    reads,
    readTree: async (id) => {
      reads.push(id)
      return parseTree(trees.get(id) ?? Buffer.alloc(0), 20)
    },
    writeTree: async (tree) => {
      const data = formatTree(tree)
      const id = createHash('sha1').update(`tree ${data.length}\0`).update(data).digest('hex')
      trees.set(id, data)
      return id
    },
  }
}

const flatten = async (store: TreeStore, id: string, prefix = ''): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const [name, entry] of await store.readTree(id)) {
    if (entry.mode === dirMode) Object.assign(found, await flatten(store, entry.id, `${prefix}${name}/`))
    else found[prefix + name] = entry.id
  }
  return found
}

/** Paths of which none is the directory of another. */
const files = fc
  .dictionary(
    fc.constantFrom('a', 'a/b', 'a/b/c', 'a/d', 'b', 'b/x', 'a.b', 'a-', '\udcff/é'),
    fc.constantFrom('1', '2', '3'),
  )
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).filter(([path]) => !Object.keys(all).some((other) => path.startsWith(`${other}/`))),
    ),
  )

const changesTo = (after: Record<string, string>, before: Record<string, string> = {}): Map<string, Entry | null> =>
  new Map([
    ...Object.keys(before)
      .filter((path) => !(path in after))
      .map((path) => [path, null] as const),
    ...Object.entries(after).map(([path, text]) => [path, file(text)] as const),
  ])

describe('a tree', () => {
  test('is the same after it was written and read, in the order of git', () => {
    const tree: Tree = new Map([
      ['b', file('1')],
      ['a', { mode: dirMode, id: idOf('2') }],
      ['a-', file('3')],
      ['a.b', { mode: linkMode, id: idOf('4') }],
      ['\udcff', file('5')],
    ])
    expect([...parseTree(formatTree(tree), 20).keys()]).toEqual(['a-', 'a.b', 'a', 'b', '\udcff'])
    expect(parseTree(formatTree(tree), 20)).toEqual(tree)
  })

  test('becomes any other by edits, and the same one as if it had been made so at once', async () => {
    const property = fc.asyncProperty(files, files, async (before, after) => {
      const store = inMemory()
      const first = await editTree(store, null, changesTo(before))
      const edited = await editTree(store, first, changesTo(after, before))
      expect(edited).toBe(await editTree(store, null, changesTo(after)))
      const expected = Object.entries(after).map(([path, text]) => [path, idOf(text)])
      expect(await flatten(store, edited)).toEqual(Object.fromEntries(expected))
    })
    await fc.assert(property)
  })

  test('is read only where something changes', async () => {
    const store = inMemory()
    const root = await editTree(store, null, changesTo({ 'a/b/c': '1', 'b/x': '1', 'c/y': '1' }))
    store.reads.length = 0
    await editTree(store, root, changesTo({ 'a/b/c': '2' }))
    expect(store.reads).toHaveLength(3)
  })

  test('without anything in it is the empty one', async () => {
    const store = inMemory()
    const root = await editTree(store, null, changesTo({ 'a/b': '1' }))
    expect(await editTree(store, root, new Map([['a/b', null]]))).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  test('tells what a path stands for', async () => {
    const store = inMemory()
    const root = await editTree(store, null, changesTo({ 'a/b': '1' }))
    expect(await findEntry(store, root, 'a/b')).toEqual(file('1'))
    expect(await findEntry(store, root, 'a')).toMatchObject({ mode: dirMode })
    for (const path of ['a/c', 'a/b/c', 'x']) expect(await findEntry(store, root, path)).toBeNull()
  })
})

describe('a tree that is edited again and again', () => {
  const differing = (after: Record<string, string>, base: Record<string, string>): Map<string, Entry | null> =>
    new Map([...changesTo(after, base)].filter(([path, entry]) => entry?.id !== (base[path] && idOf(base[path]))))

  test('is always the one that its changes make of the root', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.array(files, { maxLength: 6 }), async (base, states) => {
        const [store, tree] = [inMemory(), new EditedTree()]
        const root = await editTree(store, null, changesTo(base))
        for (const state of states) {
          const id = await tree.edit(store, root, differing(state, base))
          expect(await flatten(store, id)).toEqual(await flatten(store, await editTree(store, null, changesTo(state))))
        }
      }),
    )
  })

  test('is made from the last one, and from the root when that is forgotten', async () => {
    const [store, tree] = [inMemory(), new EditedTree()]
    const root = await editTree(store, null, changesTo({ 'a/b': '1', 'c/d': '1' }))
    const changes = changesTo({ 'a/b': '2', 'c/d': '2' })
    const id = await tree.edit(store, root, changes)
    store.reads.length = 0
    expect(await tree.edit(store, root, changes)).toBe(id)
    expect(store.reads).toEqual([])
    tree.forget()
    expect(await tree.edit(store, root, changes)).toBe(id)
    expect(store.reads).toContain(root)
  })
})
