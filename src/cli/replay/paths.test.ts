import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapPaths, mapText, type PathPair, reversed } from './paths.ts'

const pairs: PathPair[] = [
  ['/src/shop', '/tmp/x/tree'],
  ['/src/shop/app', '/tmp/x/tree/here'],
]

test.each([
  ['cat /src/shop/a.txt', 'cat /tmp/x/tree/a.txt'],
  ['in "/src/shop".', 'in "/tmp/x/tree".'],
  ['/src/shop', '/tmp/x/tree'],
  ['/src/shop/app/b', '/tmp/x/tree/here/b'],
  ['/src/shop-2/a', '/src/shop-2/a'],
  ['/src/shopping', '/src/shopping'],
  ['/my/src/shop/a', '/my/src/shop/a'],
])('%s becomes %s', (text, mapped) => expect(mapText(text, pairs)).toBe(mapped))

test('every text of a value is mapped, and nothing else', () => {
  const value = { file: '/src/shop/a', list: ['/src/shop', 3, null, true] }
  expect(mapPaths(value, pairs)).toEqual({ file: '/tmp/x/tree/a', list: ['/tmp/x/tree', 3, null, true] })
})

test('there and back again is the same', () => {
  const piece = fc.constantFrom('/src/shop', '/src/shop/app', ' ', '/a.txt', '\n', 'words', '"', '-2')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      expect(mapText(mapText(text, pairs), reversed(pairs))).toBe(text)
    }),
  )
})
