import { expect, test } from 'vitest'
import { noAnswer, withOption, withWords } from './sub-answer.ts'

test('own words give up what was chosen, and an option the words', () => {
  const chosen = withOption(withOption(noAnswer, 2, true), 0, true)
  expect(chosen).toEqual({ chosen: [0, 2], words: '' })
  expect(withWords(chosen, 'neither')).toEqual({ chosen: [], words: 'neither' })
  expect(withOption(withWords(chosen, 'neither'), 1, true)).toEqual({ chosen: [1], words: '' })
  expect(withWords(chosen, ' ')).toEqual({ chosen: [0, 2], words: ' ' })
})

test('a second tap gives an option up where many may be chosen, and nowhere else', () => {
  const first = withOption(noAnswer, 1, true)
  expect(withOption(first, 1, true).chosen).toEqual([])
  expect(withOption(first, 1, false).chosen).toEqual([1])
  expect(withOption(first, 0, false).chosen).toEqual([0])
})
