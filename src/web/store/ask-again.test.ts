import { expect, test } from 'vitest'
import { pressHard } from './ask-again.ts'

test('what ends something asks first, and takes no double click for the answer', () => {
  expect(pressHard(null, 'stop ada')).toBe('ask')
  expect(pressHard({ key: 'stop ada', isReady: false }, 'stop ada')).toBe('wait')
  expect(pressHard({ key: 'stop ada', isReady: true }, 'stop ada')).toBe('do')
})

test('what was asked of one is not answered by a press of another', () => {
  expect(pressHard({ key: 'stop ada', isReady: true }, 'stop bob')).toBe('ask')
})
