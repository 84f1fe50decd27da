import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pollSentence, wakeSentence } from '../contract/wake.ts'

test.each([wakeSentence, pollSentence])('a sentence is one line that says who speaks: %s', (sentence) => {
  expect(sentence).toMatch(/^Rein: [^\n]+$/)
})

test('a terminal is woken by the same sentence', () => {
  const waiter = readFileSync(new URL('../../bin/rein-wait', import.meta.url), 'utf8')
  expect(/^sentence='(.+)'$/m.exec(waiter)?.[1]).toBe(wakeSentence)
})
