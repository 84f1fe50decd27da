import fc from 'fast-check'
import { expect, test } from 'vitest'
import { history } from '../../../test/support/arbitraries.ts'
import { aDirective, aRecord, now } from '../../../test/support/builders.ts'
import { Directive, priorities, Receipt } from '../../contract/directive.ts'
import { isDirectiveRecord } from '../../contract/receipt-steps.ts'
import type { AnyRecord, RecordBody, RecordType } from '../../contract/record.ts'
import { byPriority, directiveId, evolve, isClosed, type Item, toReceipt } from './receipt.ts'

const directive = aDirective()
const evidence = { source: 'transcript' as const, entry: 'e1' }

const step = <T extends Extract<RecordType, `directive.${string}`>>(
  item: Item | undefined,
  type: T,
  body: RecordBody<T>,
  at = now,
): Item => {
  const record: AnyRecord = { ...aRecord(type, body, { at, cause: directive.id }), seq: 7 }
  const next = isDirectiveRecord(record) ? evolve(item, record) : undefined
  if (next === undefined) throw new Error('nothing came of it')
  return next
}

const accepted = (): Item => step(undefined, 'directive.accepted', { directive })
const offered = (item = accepted(), parts = [1]): Item =>
  step(item, 'directive.offered', { attempt: item.attempts + 1, via: 'context', parts, partCount: 1 }, now + 5)

test('from told to acked, each step with its time and what proves it', () => {
  const placed = step(offered(), 'directive.placed', { evidence })
  const seen = step(placed, 'directive.seen', { evidence: { ...evidence, descendant: 'e2' } }, now + 9)
  const acked = step(seen, 'directive.acked', { evidence: { source: 'command' }, note: 'done' })
  const receipt = toReceipt(acked)
  expect(receipt.steps.map(({ state }) => state)).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  expect(receipt.steps[1]).toMatchObject({ attempt: 1, via: 'context', parts: [1], at: now + 5 })
  expect(receipt.steps[3]).toMatchObject({ evidence: { entry: 'e1', descendant: 'e2' } })
  expect(receipt.steps[4]).toMatchObject({ note: 'done' })
  expect(Receipt.parse(receipt)).toEqual(receipt)
})

test('what came in on a channel is done when it was seen, and only then', () => {
  const origin = { channel: 'phone', sender: null, at: now, claimedAt: null }
  const offer = offered(step(undefined, 'directive.accepted', { directive: aDirective({ origin }) }))
  const placed = step(offer, 'directive.placed', { evidence })
  const seen = step(placed, 'directive.seen', { evidence })
  expect([offer, placed, seen].map(isClosed)).toEqual([false, false, true])
  expect(step(seen, 'directive.requeued', { reason: 'left_context' })).toBe(seen)
})

test('queued again, it has to be handed out anew: earlier offers count no more', () => {
  const again = step(offered(), 'directive.requeued', { reason: 'left_context' })
  expect(again).toMatchObject({ state: 'queued', offers: [], attempts: 1, seenAt: null })
  expect(offered(again)).toMatchObject({ state: 'offered', attempts: 2, offers: [{ part: 1, via: 'context' }] })
})

test('the second acceptance of the same id changes nothing', () => {
  const item = offered()
  expect(step(item, 'directive.accepted', { directive: aDirective({ text: 'other' }) })).toEqual(item)
})

test('what is about nothing that was accepted is nothing', () => {
  const record: AnyRecord = { ...aRecord('directive.seen', { evidence }, { cause: directive.id }), seq: 1 }
  expect(isDirectiveRecord(record) && evolve(undefined, record)).toBeUndefined()
})

test('any history: closed stays closed, steps are only added, and the last one is the state', () => {
  fc.assert(
    fc.property(history, (records) => {
      const items = new Map<string, Item>()
      for (const record of records.map((one, index): AnyRecord => ({ ...one, seq: index + 1 }))) {
        if (!isDirectiveRecord(record)) continue
        const before = items.get(directiveId(record))
        const after = evolve(before, record)
        if (after === undefined) continue
        items.set(after.directive.id, after)
        expect(after.steps.at(-1)?.state).toBe(after.state)
        expect(Directive.parse(after.directive)).toEqual(after.directive)
        if (before === undefined) continue
        expect(after.steps.slice(0, before.steps.length)).toEqual(before.steps)
        expect(isClosed(before) ? after : before).toBe(before)
      }
    }),
    { numRuns: 60 },
  )
})

test('more urgent first, then the one that was told first', () => {
  const items = priorities.flatMap((priority, n) =>
    [20 - n, 10 - n].map((seq) => ({ ...accepted(), seq, directive: aDirective({ priority }) })),
  )
  expect(items.toSorted(byPriority).map((item) => [item.directive.priority, item.seq])).toEqual([
    ['urgent', 7],
    ['urgent', 17],
    ['high', 8],
    ['high', 18],
    ['normal', 9],
    ['normal', 19],
    ['low', 10],
    ['low', 20],
  ])
})
