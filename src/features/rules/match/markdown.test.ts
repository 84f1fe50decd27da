import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeBlocks } from './markdown.ts'

const lines = (...all: string[]): string => all.join('\n')
const textsOf = (text: string): string[] => codeBlocks(text).map((block) => block.text)

test('a block has its place, its language and its number', () => {
  const text = lines('# Title', '```js title="a"', 'one', '```', '', '~~~ Python', 'two', '', 'three', '~~~', '')
  expect(codeBlocks(text)).toEqual([
    { text: 'one\n', start: 24, language: 'js', line: 3, index: 0 },
    { text: 'two\n\nthree\n', start: text.indexOf('two'), language: 'python', line: 7, index: 1 },
  ])
  expect(codeBlocks(text, ['PYTHON', 'go'])).toMatchObject([{ language: 'python', index: 1 }])
  expect(codeBlocks(text, 'go')).toEqual([])
})

describe('where a block ends', () => {
  test.each([
    ['a shorter fence does not end it', lines('````md', '```js', 'x', '```', '````'), ['```js\nx\n```\n']],
    ['nor one of the other kind', lines('```', '~~~', '```'), ['~~~\n']],
    ['nor one with words', lines('```', '``` x', '```'), ['``` x\n']],
    ['nor one that is far in', lines('```', '    ```', '```'), ['    ```\n']],
    ['a longer one does', lines('```', 'x', '`````', 'y'), ['x\n']],
    ['one that is not closed goes on to the end', lines('```', 'x', 'y'), ['x\ny']],
    ['an empty one', lines('```', '```'), ['']],
    ['line ends of Windows', '```js\r\nx\r\n```\r\ny', ['x\r\n']],
  ])('%s', (_, text, expected) => {
    expect(textsOf(text)).toEqual(expected)
  })
})

describe('in lists and quotes', () => {
  test.each([
    ['under an item', lines('1. Do', '', '   ```sh', '   ls', '   ```', 'end'), ['   ls\n']],
    ['beside its mark', lines('- ```sh', '  ls', '  ```'), ['  ls\n']],
    ['the end of an item ends it', lines('- ```sh', '  ls', '', 'text', '```', 'x', '```'), ['  ls\n\n', 'x\n']],
    ['in a quote its marks are blanks', lines('> ```sh', '> ls', '> ```'), ['  ls\n']],
    ['the end of a quote ends it', lines('> ```sh', '> ls', 'text'), ['  ls\n']],
  ])('%s', (_, text, expected) => {
    expect(textsOf(text)).toEqual(expected)
  })
})

test.each(['`` no fence ``', 'text ``` in a line', '```a`b', 'x'])('%j has none', (text) => {
  expect(textsOf(text)).toEqual([])
})

test('places in a block are places in the whole text', () => {
  const word = fc.constantFrom('```', '~~~~', '```js', '- ```', '> ```', '> x', '  x', 'x', '', '\t```', '````')
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = lines(...words)
      for (const block of codeBlocks(text).filter((one) => one.text !== '')) {
        const there = text.slice(block.start, block.start + block.text.length)
        expect(there.replace(/^[ \t]*(?:> ?)+/gm, (marks) => ' '.repeat(marks.length))).toBe(
          block.text.replace(/^[ \t]*(?:> ?)+/gm, (marks) => ' '.repeat(marks.length)),
        )
        expect(text.slice(0, block.start).split('\n')).toHaveLength(block.line)
      }
    }),
  )
})

test('a text of a million fences is read at once', () => {
  expect(codeBlocks('```\n'.repeat(250_000))).toHaveLength(125_000)
  expect(codeBlocks('> '.repeat(500_000))).toEqual([])
})
