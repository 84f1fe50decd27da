import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoted, unquoted } from './shell.ts'

test('a shell gets the word as it is', () => {
  const word = `it's "$HOME" \`x\` \\ a\nb *`
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
})

test('a word is the same again without its quotes', () => {
  fc.assert(
    fc.property(fc.string(), (word) => {
      expect(unquoted(quoted(word))).toBe(word)
    }),
  )
})

test.each([
  [`"touch 'a b'; echo \\"x\\" \\$y"`, `touch 'a b'; echo "x" $y`],
  [`'it'"'"'s'`, "it's"],
  ['a\\ b', 'a b'],
  ['two words', null],
  ["'open", null],
])('%s', (word, expected) => {
  expect(unquoted(word)).toBe(expected)
})
