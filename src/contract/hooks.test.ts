import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextUsed, emptyReply, type HookReply, mergeReply, type ResponderReply } from './hooks.ts'

const parts = fc.array(
  fc.record({ from: fc.constant('x'), text: fc.nat({ max: 60 }).map((length) => 'y'.repeat(length)) }),
  { maxLength: 4 },
)
const replies = fc.array(
  fc.record<ResponderReply>({
    context: parts,
    goOn: parts,
  }),
  { maxLength: 5 },
)

test('any replies: the budget holds, and parts are whole and in order', () => {
  fc.assert(
    fc.property(replies, fc.integer({ min: 0, max: 200 }), (given, budget) => {
      const merged = given.reduce<HookReply>((reply, added) => mergeReply(reply, added, budget), emptyReply)
      expect(contextUsed(merged)).toBeLessThanOrEqual(budget)
      const offered = given.flatMap(({ context = [] }) => context)
      let at = -1
      for (const part of merged.context) {
        const found = offered.indexOf(part, at + 1)
        expect(found).toBeGreaterThan(at)
        at = found
      }
    }),
  )
})
