import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathGlob } from './glob.ts'
import { globShapes, meets, plainShape, wordShapes } from './overlap.ts'

const meet = (word: string, glob: string): boolean =>
  wordShapes(word).some((one) => globShapes(glob).some((other) => meets(one, other)))

describe('whether a word and a glob can be the same file', () => {
  test.each([
    ['.re*/rules/*', '.rein/rules/**', true],
    ['.re*/*/*.yaml', '.rein/rules/**', true],
    ['*/key', 'secret/**', true],
    ['secre*/k*', 'secret/**', true],
    ['sub/.e*', '**/.env', true],
    ['s[a-e]b/x', 'sub/x', true],
    ['@(a|b)/x', 'a/x', true],
    ['*', '.rein/rules/**', false],
    ['*/*/*', '.rein/rules/**', false],
    ['*.md', 'opencode.json', false],
    ['**/*.pyc', '**/.rein/rules/*.yaml', false],
    ['**/*.yaml', '.rein/rules/**', true],
  ])('%s and %s: %s', (word, glob, isSo) => {
    expect(meet(word, glob)).toBe(isSo)
  })

  test('a path meets what it fits', () => {
    expect(globShapes('a/**').some((shape) => meets(plainShape('a/*'), shape))).toBe(true)
    expect(globShapes('a/b').some((shape) => meets(plainShape('a/*'), shape))).toBe(false)
  })

  /** All names of up to four letters: no two globs of two letters each need more to meet. */
  const names = [1, 2, 3, 4].flatMap((length) =>
    Array.from({ length: 2 ** length }, (_, index) =>
      index.toString(2).padStart(length, '0').replaceAll('0', 'a').replaceAll('1', 'b'),
    ),
  )
  const files = names.flatMap((one) => [one, ...names.map((two) => `${one}/${two}`)])
  const name = fc
    .array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 2 })
    .map((all) => all.join('').replace('**', '*'))
  const glob = (part: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
    fc.array(part, { minLength: 1, maxLength }).map((all) => all.join('/'))

  test('exactly where there is a file that both fit', () => {
    const word = glob(name, 2)
    const rule = glob(fc.oneof(name, fc.constant('**')), 3)
    fc.assert(
      fc.property(word, rule, (one, other) => {
        const [fitsOne, fitsOther] = [pathGlob(one), pathGlob(other)]
        expect(meet(one, other)).toBe(files.some((file) => fitsOne(file) && fitsOther(file)))
      }),
      { numRuns: 500 },
    )
  })
})
