import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextUsed, type Decision, emptyReply, type HookReply, mergeReply, type ResponderReply } from './hooks.ts'

const deny: Decision = { kind: 'deny', reason: 'no' }
const ask: Decision = { kind: 'ask', reason: 'sure?' }
const rewrite: Decision = { kind: 'rewrite', input: { command: 'ls' }, reason: 'safer' }
const decide = (...decisions: (Decision | null)[]): Decision | null =>
  decisions.reduce((reply, decision) => mergeReply(reply, { decision }), emptyReply).decision

test.each([
  ['nothing and nothing', [null, null], null],
  ['one that rewrites', [null, rewrite, null], rewrite],
  ['ask over rewrite', [rewrite, ask], ask],
  ['ask over rewrite, whoever is first', [ask, rewrite], ask],
  ['deny over ask', [ask, deny], deny],
  ['deny over all', [deny, rewrite, ask, null], deny],
])('%s', (_, decisions, expected) => {
  expect(decide(...decisions)).toEqual(expected)
})

test('of two equal ones the first stands', () => {
  expect(decide(deny, { kind: 'deny', reason: 'other' })).toEqual(deny)
})

const parts = fc.array(
  fc.record({ from: fc.constant('x'), text: fc.nat({ max: 60 }).map((length) => 'y'.repeat(length)) }),
  { maxLength: 4 },
)
const replies = fc.array(
  fc.record<ResponderReply>({
    decision: fc.option(fc.constantFrom(deny, ask, rewrite)),
    context: parts,
    goOn: parts,
  }),
  { maxLength: 5 },
)

test('any replies: the budget holds, parts are whole and in order, and the strongest decision stands', () => {
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
      const kinds = new Set(given.map(({ decision }) => decision?.kind))
      const strongest = (['deny', 'ask', 'rewrite'] as const).find((kind) => kinds.has(kind))
      expect(merged.decision?.kind).toBe(strongest)
    }),
  )
})
