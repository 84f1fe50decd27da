import fc from 'fast-check'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isSafeLink, isSafePath } from './paths.ts'

test.each(['a', 'a/b.txt', '.gitignore', '.github/x', 'gitx', 'a b', 'ümlaut', '...', '.gitattributes'])(
  '%s is the name of a file',
  (name) => expect(isSafePath(name)).toBe(true),
)

test.each([
  '',
  '.',
  '..',
  'a//b',
  '/a',
  'a/',
  '../a',
  'a/../b',
  '.git',
  'a/.GIT/b',
  '.git.',
  'git~1',
  '.g\u200cit',
  'a\\b',
  'a\nb',
])('%j could mean something else', (name) => expect(isSafePath(name)).toBe(false))

const part = fc.constantFrom('..', '.', 'a', 'b', '', '/', '.git')

test('a link that is taken stays in the work tree, wherever it stands', () => {
  const dirs = fc.array(fc.constantFrom('x', 'y'), { maxLength: 3 })
  fc.assert(
    fc.property(dirs, fc.array(part, { maxLength: 6 }), (above, parts) => {
      const [link, target] = [[...above, 'link'].join('/'), parts.join('/')]
      if (!isSafeLink(link, target)) return
      const end = path.resolve('/tree', path.dirname(link), target)
      expect(`${end}/`.startsWith('/tree/')).toBe(true)
    }),
  )
})

test('a name and then .. is refused, for the name may be a link', () => {
  expect(isSafeLink('link', 'a/..')).toBe(false)
  expect(isSafeLink('x/link', '../a')).toBe(true)
  expect(isSafeLink('x/link', '../../a')).toBe(false)
})
