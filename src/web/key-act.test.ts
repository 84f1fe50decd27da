import { expect, test } from 'vitest'
import { decideKey, type KeyAct } from './key-act.ts'

const paths = new Map([
  ['q', '/questions'],
  ['t', '/tasks'],
])
type Key = string | { key: string; ctrlKey?: true; isTaken?: true; hasLetters?: false }

/** What the last of these keys does. */
const press = (...keys: Key[]): KeyAct | null => {
  let last: ReturnType<typeof decideKey> = { act: null, isAfterG: false }
  for (const each of keys) {
    const { key, ctrlKey = false, isTaken = false, hasLetters = true } = typeof each === 'string' ? { key: each } : each
    const pressed = { key, ctrlKey, metaKey: false, altKey: false }
    last = decideKey(pressed, { isAfterG: last.isAfterG, isTaken, hasLetters, paths })
  }
  return last.act
}

test('letters go to views, to the palette and to where an agent is told something', () => {
  expect(press('g', 'q')).toEqual({ go: '/questions' })
  expect(press('g', 't')).toEqual({ go: '/tasks' })
  expect([press('/'), press('t'), press('q'), press({ key: 'k', ctrlKey: true })]).toEqual([
    'palette',
    'tell',
    null,
    'palette',
  ])
})

test('a letter between forgets the g, also one that was typed into a field', () => {
  expect(press('g', 'x', 'q')).toBeNull()
  expect(press('g', { key: 'a', isTaken: true }, 'q')).toBeNull()
  expect(press('g', { key: 'c', ctrlKey: true }, 'q')).toBeNull()
})

test('a letter does nothing while a person writes, or where they want none', () => {
  expect(press({ key: '/', isTaken: true })).toBeNull()
  expect(press({ key: '/', hasLetters: false })).toBeNull()
  expect(press({ key: 'k', ctrlKey: true, isTaken: true, hasLetters: false })).toBe('palette')
})
