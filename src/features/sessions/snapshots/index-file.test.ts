import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dirsOf, type IndexEntry, readIndex, sizeOf, withDoubts, writeIndex } from './index-file.ts'

const second = 1_700_000_000

const statOf = ({ mode = 0o100644, at = second, size = 5 }): Buffer => {
  const stat = Buffer.alloc(40)
  for (const place of [0, 8]) stat.writeUInt32BE(at, place)
  stat.writeUInt32BE(mode, 24)
  stat.writeUInt32BE(size, 36)
  return stat
}

const entry = (name: string, more: Parameters<typeof statOf>[0] = {}): IndexEntry => ({
  stat: statOf(more),
  id: createHash('sha1').update(name).digest('hex'),
  name: Buffer.from(name),
})

const written = (entries: readonly IndexEntry[]): Promise<Buffer> => writeIndex(entries, createHash('sha1'))

/** The flags of the first entry, which stand behind the head, the 40 bytes of lstat, and the id. */
const withFlags = async (name: string, flags: number): Promise<Buffer> => {
  const data = await written([entry(name)])
  data.writeUInt16BE(flags | name.length, 12 + 40 + 20)
  return data
}

describe('an index', () => {
  test('is the same after it was written and read', async () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }).filter((name) => !name.includes('\0')))
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const entries = all.map((name) => entry(name))
        expect(await readIndex(await written(entries), 20)).toEqual(entries)
      }),
    )
  })

  test('gives no entry for what is no file of the work tree', async () => {
    const kinds = [
      entry('file'),
      entry('link', { mode: 0o120000 }),
      entry('module', { mode: 0o160000 }),
      entry('dir', { mode: 0o040000 }),
    ]
    expect((await readIndex(await written(kinds), 20))?.map(({ name }) => String(name))).toEqual(['file', 'link'])
    expect(await readIndex(await withFlags('conflict', 0x2000), 20)).toEqual([])
  })

  test('of version 4 has names that begin like the one before', async () => {
    const [first, next] = [entry('dir/file'), entry('dir/other')]
    const head = Buffer.from('DIRC\0\0\0\u0004\0\0\0\u0002', 'latin1')
    const raw = ({ stat, id }: IndexEntry, cut: number, rest: string): Buffer =>
      Buffer.concat([stat, Buffer.from(id, 'hex'), Buffer.from([0, 9, cut]), Buffer.from(`${rest}\0`)])
    const data = Buffer.concat([head, raw(first, 0, 'dir/file'), raw(next, 4, 'other'), Buffer.alloc(20)])
    expect(await readIndex(data, 20)).toEqual([first, next])
  })

  test('that only git can read is left to git', async () => {
    const data = await written([entry('a')])
    const extension = (name: string): Buffer =>
      Buffer.concat([data.subarray(0, -20), Buffer.from(`${name}\0\0\0\u0002xx`, 'latin1'), Buffer.alloc(20)])
    expect(await readIndex(extension('TREE'), 20)).toHaveLength(1)
    expect(await readIndex(extension('link'), 20)).toBeNull()
    expect(await readIndex(Buffer.from('nonsense'), 20)).toBeNull()
  })

  test('is in doubt about files that changed when it was written, and about no others', () => {
    const [old, recent] = [entry('old', { at: second - 60 }), entry('recent', { at: second - 1, size: 7 })]
    const [first, last] = withDoubts([old, recent], second * 1000)
    expect(first).toBe(old)
    expect(last?.stat.readUInt32BE(0)).toBe(0)
    expect(sizeOf(last as IndexEntry)).toBe(7)
  })

  test('has the directories of its paths, and all above', () => {
    const names = ['a', 'b/c', 'b/d/e/f', 'b/d/e/g', 'b/h']
    expect([...dirsOf(names.map((name) => entry(name)))]).toEqual(['b', 'b/d', 'b/d/e'])
  })
})
