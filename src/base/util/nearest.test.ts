import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['hooks.deadline_ms', 'hooks.transport', 'inbox.limit', 'log.level']

test.each([
  ['hook.deadline_ms', 'hooks.deadline_ms'],
  ['hooks.deadline', 'hooks.deadline_ms'],
  ['LOG.LEVEL', 'log.level'],
  ['inbox.limti', 'inbox.limit'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearest(word, keys)).toBe(meant)
})

test.each([
  ['worker1', ['worker-1', 'worker-2'], 'worker-1'],
  ['sp', ['top', 'ps'], 'ps'],
  ['tlel', ['tell', 'team'], 'tell'],
  ['help', ['shell'], undefined],
  ['stop', ['setup', 'story', 'top'], 'top'],
  ['web', ['demo', 'here', 'next', 'team'], undefined],
])('of %s and %j, %s was meant', (word, names, meant) => {
  expect(nearest(word, names)).toBe(meant)
})

test.each(['', 'colour', 'x'])('nothing is near "%s"', (word) => {
  expect(nearest(word, keys)).toBeUndefined()
})

test('a word that is there is the nearest, whatever else there is', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }), (words) => {
      for (const word of words) expect(nearest(word, words)).toBe(word)
    }),
  )
})
