import { expect, test } from 'vitest'
import { lossText } from './loss-text.ts'

test('says what is lost, and nothing of what is not there', () => {
  expect([lossText(0, 0), lossText(1, 0), lossText(0, 3), lossText(2, 1)]).toEqual([
    '',
    '1 message that may not have arrived',
    '3 drafts',
    '2 messages that may not have arrived and 1 draft',
  ])
})
