import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { neutralised, parseMentions } from './mentions.ts'

/** As it could be written: `bob`, `bob!`, `bob?`. */
const named = (text: string): string[] =>
  parseMentions(text).map(({ name, kind }) => name + { plain: '', urgent: '!', query: '?' }[kind])

describe('named', () => {
  test.each([
    ['@bob', ['bob']],
    ['@bob!', ['bob!']],
    ['@bob?', ['bob?']],
    ['as a shell leaves it: @bob\\! and @al\\?', ['bob!', 'al?']],
    ['@all, @all! @all?', ['all!', 'all?']],
    ['@Bob-2 and @WORKER_1', ['bob-2', 'worker_1']],
    ['@bob, @al. (@cy) "@di" [@ed]: <@fy>; @gus\n@hal', ['bob', 'al', 'cy', 'di', 'ed', 'fy', 'gus', 'hal']],
    ['**@bob** and _@al_', ['bob', 'al_']],
    ['cc:@bob -@al 👍@cy …@di', ['bob', 'al', 'cy', 'di']],
    ['> as @bob said', ['bob']],
    ['- @bob\n    - @al', ['bob', 'al']],
    ['the first mark counts: @bob?! @al!?', ['bob?', 'al!']],
    ['@bob... and @al, too', ['bob', 'al']],
    ["@bob's work", ['bob']],
    ['`code` @bob `more`', ['bob']],
    ['a lone ` @bob', ['bob']],
    ['`` ` `` @bob', ['bob']],
    ['`one\n\n@bob, in another paragraph`', ['bob']],
    ['```\ncode\n```\n@bob', ['bob']],
    ['```one line``` @bob', ['bob']],
    ['a paragraph\n    @bob goes on', ['bob']],
    ['https://example.com/ @bob', ['bob']],
    [`@${'a'.repeat(64)}`, ['a'.repeat(64)]],
  ])('%j', (text, names) => expect(named(text)).toEqual(names))
})

describe('not named', () => {
  test.each([
    'bob@example.com',
    'mail é@bob, a.b+c@bob',
    '@bob@social.example',
    '@types/node and node_modules/@types',
    '@app.route("/")',
    '@@bob and @@',
    '@ bob',
    '@-bob',
    '@_bob',
    '@bobé',
    '\\@bob',
    '@ſam',
    'https://example.com/@bob and ssh://git@bob',
    'https://example.com/?a=@bob,@al',
    '`@bob` and ``a ` @bob``',
    '`two\n@bob lines`',
    '```\n@bob\n```',
    '~~~ js\n@bob\n```\n@bob\n~~~~',
    '````\n```\n@bob\n````',
    '```\n@bob, and it never ends',
    '1. a list\n   ```\n   @bob\n   ```',
    '        ```\n        @bob\n        ```',
    '> ```\n> @bob\n> ```',
    '    @bob',
    'text\n\n\t@bob\n    @bob',
    `@${'a'.repeat(65)}`,
  ])('%j', (text) => expect(named(text)).toEqual([]))
})

test('the most pressing way counts, and asking about somebody stands by itself', () => {
  expect(named('@bob @bob! @bob')).toEqual(['bob!'])
  expect(named('@bob? @bob?')).toEqual(['bob?'])
  expect(named('@bob? @al @bob')).toEqual(['bob?', 'al', 'bob'])
})

test.each([
  ['`'],
  ['` '],
  ['``` '],
  ['```\n'],
  ['@'],
  ['@a'],
  ['@a '],
  ['@a-'],
  ['@a\\'],
  ['a.'],
  ['://'],
  ['://\n'],
  ['\n'],
  ['\r'],
  ['> '],
  ['    @a\n'],
  ['~'],
  ['`\u2028'],
  ['😀@'],
])('a mebibyte of %j is read in the time of its length', (piece) => {
  const text = `${piece.repeat(1024 ** 2 / piece.length)}\u2028 @bob`
  expect(named(text).length).toBeLessThan(3)
})

test('rows of backticks of all lengths take no longer', () => {
  const rows = Array.from({ length: 1400 }, (_, n) => '`'.repeat(n + 1)).join(' ')
  expect(named(`a ${rows} @bob`)).toEqual(['bob'])
})

const hostile = fc
  .array(
    fc.constantFrom(
      '@',
      'bob',
      'al',
      '!',
      '?',
      '\\',
      '`',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '    ',
      ' ',
      '/',
      '.',
      '://',
      '-',
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

test('whatever the text: names are handles, each of a kind once, and a neutral text names nobody', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, hostile), (text) => {
      const found = named(text)
      expect(found.every((one) => /^[a-z0-9][a-z0-9_-]{0,63}[!?]?$/.test(one))).toBe(true)
      expect(new Set(found.map((one) => one.replace('!', ''))).size).toBe(found.length)
      expect(named(neutralised(text))).toEqual([])
      expect(neutralised(text).replaceAll('＠', '@')).toBe(text.replaceAll('＠', '@'))
    }),
  )
})
