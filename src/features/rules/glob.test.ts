import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alternatives, globProblem, pathGlob, wordGlob } from './glob.ts'

describe('globs of paths', () => {
  test.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'srcs/a', false],
    ['src/', 'src/a', true],
    ['src/**/test/*.ts', 'src/a/b/test/x.ts', true],
    ['src/**/test/*.ts', 'src/test/x.ts', true],
    ['src/**/test/*.ts', 'src/a/test/b/x.ts', false],
    ['**/.env*', '.env.local', true],
    ['*', '.hidden', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{src,lib/{a,b}}/*.js', 'lib/b/x.js', true],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['**', 'any/thing', true],
  ])('%s and %s: %s', (glob, path, isFit) => {
    expect(pathGlob(glob)(path)).toBe(isFit)
  })

  test('many stars take no time', () => {
    const glob = `${'*a'.repeat(200)}b`
    expect(pathGlob(glob)('a'.repeat(4000))).toBe(false)
    expect(pathGlob(`${'**/a/'.repeat(100)}b`)('a/'.repeat(2000))).toBe(false)
  })

  test('they fit what the same expression fits', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '.')
    const asRegExp = (glob: string): RegExp => {
      const source = glob.replace(/\*\*\/|\*+|\?|\./g, (part) => {
        if (part === '**/') return '(?:[^/]*/)*'
        return part === '?' ? '[^/]' : part === '.' ? '\\.' : '[^/]*'
      })
      return new RegExp(`^${source}$`)
    }
    const glob = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    const whole = glob.filter((text) => !/[^/]\*\*\/|\*\*\*|\/$|^\*\*$|\/\*\*$/.test(text))
    const path = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 }).map((letters) => letters.join(''))
    const isSame = fc.property(whole, path, (one, text) => pathGlob(one)(text) === asRegExp(one).test(text))
    expect(() => fc.assert(isSame)).not.toThrow()
  })
})

describe('globs of words', () => {
  test.each([
    ['python*', 'python3.12', true],
    ['python*', 'ipython', false],
    ['origin/*', 'origin/a/b', true],
    ['git', 'git', true],
  ])('%s and %s: %s', (glob, word, isFit) => {
    expect(wordGlob(glob)(word)).toBe(isFit)
  })
})

describe('what is no glob', () => {
  test.each([
    ['', 'it is empty'],
    ['a{b', '`{` is never closed'],
    ['a}b', '`}` has no `{`'],
    ['{a,b}'.repeat(9), 'its braces stand for more than 256 globs'],
  ])('%s: %s', (glob, problem) => {
    expect(globProblem(glob)).toBe(problem)
  })

  test('braces never make more than a bounded number', () => {
    expect(alternatives('{a,b}'.repeat(40)).length).toBeLessThanOrEqual(257)
  })
})
