import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { changesBetween, globPattern, readTree } from './file-tree.ts'

test.each([
  ['*', ['a', 'a/b', '.x', 'a\nb'], []],
  ['*.md', ['a.md', 'x/y/a.md', '.md'], ['a.mdx', 'a-md', 'x/a.md/b']],
  ['docs/*.md', ['docs/a.md'], ['a.md', 'docs/x/a.md', 'x/docs/a.md']],
  ['docs/**', ['docs/a', 'docs/x/y'], ['docs', 'x/docs/a']],
  ['**/docs/*', ['docs/a', 'x/docs/a'], ['docs/x/a']],
  ['a?c', ['abc', 'x/a-c'], ['ac', 'a/c']],
  ['a+(b)[c].{d}', ['a+(b)[c].{d}'], ['aab', 'a+bc.d']],
  ['node_modules', ['node_modules', 'x/node_modules'], ['node_modules_', 'node_modules/x']],
])('the glob %s', (glob, matching, others) => {
  const pattern = globPattern(glob)
  expect([...matching, ...others].filter((name) => pattern.test(name))).toEqual(matching)
})

describe('a tree', () => {
  test('has all files that are wanted, and follows no links', async () => {
    const root = tempDir()
    for (const dir of ['src/deep', 'node_modules/x', 'out']) mkdirSync(join(root, dir), { recursive: true })
    for (const file of ['a.ts', 'src/b.ts', 'src/deep/c.md', 'node_modules/x/d.ts']) writeFileSync(join(root, file), '')
    symlinkSync(join(root, 'node_modules'), join(root, 'link.ts'))
    const tree = await readTree(root, [globPattern('*.ts')], [globPattern('node_modules')])
    expect(Object.keys(tree.files).toSorted()).toEqual(['a.ts', 'link.ts', 'src/b.ts'])
    expect([...tree.dirs.keys()].toSorted()).toEqual(['', 'out', 'src', 'src/deep'].map((dir) => join(root, dir)))
  })

  test('that is not there is empty', async () => {
    expect((await readTree('/no/such/directory', [/./], [])).files).toEqual({})
  })
})

test('changes are all that differs, and nothing else', () => {
  const files = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
  fc.assert(
    fc.property(files, files, (before, after) => {
      const changed: Record<string, string> = { ...before }
      for (const { what, file, stamp } of changesBetween(before, after)) {
        expect(Object.hasOwn(before, file)).toBe(what !== 'created')
        if (what === 'deleted') delete changed[file]
        else changed[file] = stamp
      }
      expect(changed).toEqual({ ...after })
      expect(changesBetween(after, after)).toEqual([])
    }),
  )
})
