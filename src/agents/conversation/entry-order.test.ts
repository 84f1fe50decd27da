import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anEntry } from '../../../test/support/builders.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { EntryOrder } from './entry-order.ts'

const entry = (id: string, parent: string | null): ConversationEntry => anEntry({ id, parent })
const read = (entries: ConversationEntry[]): string[] => {
  const order = new EntryOrder()
  return entries.flatMap((one) => order.take(one)).map(({ id }) => id)
}
const chain = (length: number): ConversationEntry[] =>
  Array.from({ length }, (_, index) => entry(`e${index}`, index === 0 ? null : `e${index - 1}`))

test('a first reply that was written before its prompt comes after it', () => {
  expect(read([entry('reply', 'context'), entry('prompt', null), entry('context', 'prompt')])).toEqual([
    'prompt',
    'context',
    'reply',
  ])
})

test('what is in order stays as it is, at any length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 120 }), (length) => {
      expect(read(chain(length))).toEqual(chain(length).map(({ id }) => id))
    }),
  )
})

test('a few entries in any order come out as a chain', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(chain(12), { minLength: 12 }), (shuffled) => {
      expect(read(shuffled)).toEqual(chain(12).map(({ id }) => id))
    }),
  )
})

test('nothing is lost or doubled when a parent is not in the file at all', () => {
  const orphans = chain(80).slice(1)
  expect(read(orphans)).toEqual(orphans.map(({ id }) => id))
})
