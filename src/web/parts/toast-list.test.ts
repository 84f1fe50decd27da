import { expect, test } from 'vitest'
import { type Toast, withToast } from './toast-list.ts'

const all = (...texts: string[]): Toast[] =>
  texts.reduce<Toast[]>(
    (toasts, text, id) =>
      withToast(toasts, { id, tone: text.startsWith('bad') ? 'bad' : 'good', text, hint: undefined }),
    [],
  )
const textsOf = (toasts: readonly Toast[]): string[] => toasts.map(({ text }) => text)

test('no failure is removed by what comes after it', () => {
  expect(textsOf(all('bad 1', 'good 1', 'bad 2', 'bad 3', 'good 2', 'bad 4', 'bad 5'))).toEqual([
    'bad 1',
    'bad 2',
    'bad 3',
    'bad 4',
    'bad 5',
  ])
})

test('what went well gives way, the oldest first', () => {
  expect(textsOf(all('good 1', 'good 2', 'good 3', 'good 4', 'good 5'))).toEqual([
    'good 2',
    'good 3',
    'good 4',
    'good 5',
  ])
})

test('a failure that is told again stands there once', () => {
  expect(textsOf(all('bad 1', 'bad 2', 'bad 1'))).toEqual(['bad 2', 'bad 1'])
})
