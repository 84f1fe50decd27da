import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edit, emptyInput, type Input, insert, sent, toLine, withText } from './input.ts'

const typed = (input: Input, ...keys: string[]): Input => keys.reduce(edit, input)
/** The line with a bar where the cursor is. */
const shown = ({ text, at }: Input): string => `${text.slice(0, at)}|${text.slice(at)}`

describe('the line that is written', () => {
  const line = withText(emptyInput, 'one two😀')

  test.each([
    [['!'], 'one two😀!|'],
    [['backspace'], 'one two|'],
    [['left', 'x'], 'one twox|😀'],
    [['left', 'delete'], 'one two|'],
    [['home', 'right', 'right', 'backspace'], 'o|e two😀'],
    [['ctrl-a', '漢'], '漢|one two😀'],
    [['ctrl-w'], 'one |'],
    [['ctrl-w', 'ctrl-w', 'ctrl-w'], '|'],
    [['left', 'ctrl-u'], '|😀'],
    [['home', 'ctrl-k', 'backspace', 'delete', 'left', 'right'], '|'],
    [['home', 'ctrl-e', 'newline'], 'one two😀\n|'],
    [['left', 'word-left'], 'one |two😀'],
    [['word-left', 'word-left', 'word-left'], '|one two😀'],
    [['home', 'word-right', 'word-right'], 'one two😀|'],
    [['home', 'delete-word'], '| two😀'],
    [['f5', 'ctrl-x'], 'one two😀|'],
  ])('%j makes %j of it', (keys, result) => {
    expect(shown(typed(line, ...keys))).toBe(result)
  })

  test('has lines, of which each has a beginning and an end', () => {
    const lines = withText(emptyInput, 'one\n😀\nthree')
    expect(shown(typed(lines, 'home'))).toBe('one\n😀\n|three')
    expect(shown(toLine(typed(lines, 'home', 'right'), -1) ?? lines)).toBe('one\n|😀\nthree')
    expect(shown(toLine({ ...lines, at: 3 }, 1) ?? lines)).toBe('one\n😀|\nthree')
    expect(shown(typed({ ...lines, at: 1 }, 'end'))).toBe('one|\n😀\nthree')
    expect([toLine(lines, 1), toLine({ ...lines, at: 2 }, -1)]).toEqual([null, null])
  })

  test('what is pasted goes where the cursor is', () => {
    expect(shown(insert(typed(line, 'home'), 'a\nb'))).toBe('a\nb|one two😀')
  })

  test('what was sent can be had again, and what was begun is not lost', () => {
    const after = ['first', 'second', 'second'].reduce((input, text) => sent(withText(input, text)), emptyInput)
    const begun = typed(after, 'x')
    expect(shown(typed(begun, 'up'))).toBe('second|')
    expect(shown(typed(begun, 'up', 'up', 'up'))).toBe('first|')
    expect(shown(typed(begun, 'up', 'up', 'down', 'down', 'down'))).toBe('x|')
    expect(shown(typed(begun, 'up', 'y'))).toBe('secondy|')
  })

  test('the cursor never leaves it, and halves no character', () => {
    const key = fc.constantFrom(
      'a',
      '😀',
      ' ',
      'left',
      'right',
      'backspace',
      'delete',
      'ctrl-w',
      'ctrl-u',
      'up',
      'home',
      'newline',
      'word-left',
      'word-right',
    )
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const { text, at } = typed(sent(withText(emptyInput, '😀 b')), ...keys)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(text.length)
        expect(encodeURIComponent(text.slice(0, at)) + encodeURIComponent(text.slice(at))).toBe(
          encodeURIComponent(text),
        )
      }),
    )
  })
})
