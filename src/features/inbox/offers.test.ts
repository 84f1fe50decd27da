import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aDirective, now } from '../../../test/support/builders.ts'
import { type Directive, priorities, receiptStates } from '../../contract/directive.ts'
import { contextBudget, contextSeparator } from '../../contract/hooks.ts'
import { chooseOffers, wantsOffer } from './choose-offers.ts'
import { findFences } from './fence.ts'
import { judgeSighting, type Sighting } from './sightings.ts'
import { byPriority, isClosed, type Item } from './receipt.ts'

const anItem = (given: Partial<Item> = {}): Item => ({
  directive: aDirective(),
  seq: 1,
  state: 'queued',
  steps: [{ state: 'queued', at: now }],
  attempts: 0,
  offers: [],
  partCount: 1,
  offeredAt: null,
  seenAt: null,
  ...given,
})
const offeredItem = (given: Partial<Item> = {}): Item =>
  anItem({ state: 'offered', offers: [{ part: 1, via: 'context' }], offeredAt: now, attempts: 1, ...given })

const somewhere: Sighting = { parts: new Map([[1, 'entry']]), descendant: null, repliedWithout: null }
const nowhere: Sighting = { parts: new Map(), descendant: null, repliedWithout: null }
const kinds = (item: Item, sighting: Sighting): string[] => judgeSighting(item, sighting, 'c').map(({ kind }) => kind)

const anyItem = fc
  .record({
    state: fc.constantFrom(...receiptStates),
    seq: fc.nat(),
    priority: fc.constantFrom(...priorities),
    length: fc.integer({ min: 1, max: 9000 }),
    offers: fc.array(fc.record({ part: fc.integer({ min: 1, max: 3 }), via: fc.constant('context' as const) }), {
      maxLength: 3,
    }),
    partCount: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ priority, length, ...rest }) =>
    anItem({ ...rest, directive: aDirective({ id: `dir_${rest.seq}`, priority, text: 'x'.repeat(length) }) }),
  )

const anySighting: fc.Arbitrary<Sighting> = fc
  .record({
    parts: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
    descendant: fc.option(fc.uuid()),
    repliedWithout: fc.option(fc.uuid()),
  })
  .map((given) => ({ ...given, parts: new Map(given.parts.map((part) => [part, `entry ${part}`])) }))

describe('handed out where the CLI leaves no trace', () => {
  const unwritten = (given: Partial<Item> = {}): Item =>
    offeredItem({ offers: [{ part: 1, via: 'unwritten' }], ...given })

  test('a reply without it proves nothing, and it comes again at the stop', () => {
    expect(kinds(unwritten(), { ...nowhere, repliedWithout: 'reply' })).toEqual([])
    expect(wantsOffer(unwritten(), 'batch')).toBe(false)
    expect(wantsOffer(unwritten(), 'stop')).toBe(true)
  })

  test('a trace that is there all the same counts', () => {
    expect(kinds(unwritten(), somewhere)).toEqual(['placed'])
  })

  test('once it was handed out in another way, that way has to show it', () => {
    const both = unwritten({
      offers: [
        { part: 1, via: 'unwritten' },
        { part: 1, via: 'feedback' },
      ],
    })
    expect(kinds(both, { ...nowhere, repliedWithout: 'reply' })).toEqual(['requeued'])
    expect(wantsOffer(both, 'stop')).toBe(false)
  })

  test('parts that were read are proof only of themselves', () => {
    const long = unwritten({
      partCount: 2,
      offers: [
        { part: 1, via: 'unwritten' },
        { part: 2, via: 'read' },
      ],
    })
    expect(wantsOffer(long, 'stop')).toBe(true)
  })
})

describe('what is offered', () => {
  test.each([
    ['queued', ['prompt', 'batch', 'stop']],
    ['held', ['prompt', 'batch', 'stop']],
    ['offered', ['prompt']],
    ['placed', ['prompt']],
    ['seen', []],
    ['acked', []],
    ['expired', []],
    ['cancelled', []],
    ['failed', []],
  ] as const)('%s: at %s', (state, points) => {
    const wanted = (['prompt', 'batch', 'stop'] as const).filter((point) => wantsOffer(anItem({ state }), point))
    expect(wanted).toEqual(points)
  })

  test('in order of priority, as much as fits, and nothing overtakes what does not', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 8 }), fc.integer({ min: 0, max: 30_000 }), (items, room) => {
        const offers = chooseOffers(items, 'prompt', room)
        const wanted = items.filter((item) => wantsOffer(item, 'prompt')).toSorted(byPriority)
        expect(offers.map(({ item }) => item)).toEqual(wanted.slice(0, offers.length))
        const used = offers.reduce((sum, { text }) => sum + text.length + contextSeparator.length, 0)
        expect(used).toBeLessThanOrEqual(room)
        const next = wanted[offers.length]
        if (next === undefined) return
        const [alone] = chooseOffers([next], 'prompt', 100_000)
        expect(used + (alone?.text.length ?? 0) + contextSeparator.length).toBeGreaterThan(room)
      }),
    )
  })

  test('the smallest budget that can be set has room for the largest part, whatever names are in it', () => {
    const directive = aDirective({
      text: '\u202e'.repeat(100_000),
      from: '\u200b'.repeat(64),
      type: `a${'-'.repeat(31)}`,
      priority: 'urgent',
    })
    expect(chooseOffers([anItem({ directive })], 'batch', 8500)).toHaveLength(1)
  })

  test('as many fit into one injection as docs/delivery-details.md says', () => {
    const origin = { channel: 'phone', sender: 'ada', at: now, claimedAt: null }
    const fitting = (length: number, more: Partial<Directive> = {}): number => {
      const directive = aDirective({ text: 'x'.repeat(length), ...more })
      const items = Array.from({ length: 100 }, (_, seq) => anItem({ seq, directive }))
      return chooseOffers(items, 'stop', contextBudget).length
    }
    expect([40, 200, 1000, 7000].map((length) => fitting(length))).toEqual([18, 13, 6, 1])
    expect([40, 200, 1000, 7000].map((length) => fitting(length, { origin }))).toEqual([25, 17, 6, 1])
  })

  test('it says how to acknowledge, or how to read the rest', () => {
    const [short] = chooseOffers([anItem()], 'batch', 9000)
    expect(short?.text).toContain(`rein ack ${aDirective().id}`)
    const [long] = chooseOffers([anItem({ directive: aDirective({ text: 'x'.repeat(20_000) }) })], 'batch', 9000)
    expect(long).toMatchObject({ part: 1, partCount: 3 })
    expect(long?.text).toContain(`rein inbox read ${aDirective().id}`)
    expect(long?.text).not.toContain('rein ack')
    expect(findFences(long?.text ?? '')).toMatchObject([{ part: 1, partCount: 3 }])
  })
})

describe('what the conversation proves', () => {
  test('the fence stands there: placed; a reply has it behind it: seen', () => {
    expect(kinds(offeredItem(), somewhere)).toEqual(['placed'])
    expect(judgeSighting(offeredItem(), { ...somewhere, descendant: 'reply' }, 'c')).toEqual([
      { kind: 'placed', evidence: { source: 'transcript', conversation: 'c', entry: 'entry' } },
      { kind: 'seen', evidence: { source: 'transcript', conversation: 'c', entry: 'entry', descendant: 'reply' } },
    ])
    expect(kinds(offeredItem({ state: 'placed' }), { ...somewhere, descendant: 'reply' })).toEqual(['seen'])
    expect(kinds(offeredItem({ state: 'placed' }), somewhere)).toEqual([])
    expect(kinds(offeredItem({ state: 'seen' }), { ...somewhere, descendant: 'reply' })).toEqual([])
  })

  test('the model replied without it: it is queued again', () => {
    expect(judgeSighting(offeredItem(), { ...nowhere, repliedWithout: 'reply' }, 'c')).toEqual([
      {
        kind: 'requeued',
        reason: 'evidence_missing',
        evidence: { source: 'transcript', conversation: 'c', entry: 'reply' },
      },
    ])
    expect(kinds(offeredItem(), nowhere)).toEqual([])
  })

  test.each(['placed', 'seen'] as const)('%s, and it stands there no more: it left the context', (state) => {
    expect(judgeSighting(offeredItem({ state }), nowhere, 'c')).toMatchObject([
      { kind: 'requeued', reason: 'left_context' },
    ])
  })

  test('several parts: not placed before all of them stand there', () => {
    const item = offeredItem({ partCount: 3, offers: [1, 2, 3].map((part) => ({ part, via: 'read' as const })) })
    const some = (...parts: number[]) => ({
      ...nowhere,
      parts: new Map(parts.map((part) => [part, `e${part}`])),
      descendant: 'r',
    })
    expect(kinds(item, some(1))).toEqual([])
    expect(kinds(item, some(2, 3))).toEqual([])
    expect(kinds(item, some(3, 1, 2))).toEqual(['placed', 'seen'])
    expect(judgeSighting(item, some(3, 1, 2), 'c')[0]?.evidence.entry).toBe('e3')
    expect(kinds({ ...item, state: 'seen' }, some(1, 3))).toEqual(['requeued'])
  })

  test('several parts, some of them there: a reply meanwhile does not start it over', () => {
    const item = offeredItem({ partCount: 3 })
    expect(kinds(item, { ...somewhere, repliedWithout: 'reply' })).toEqual([])
  })

  test('anything: never seen without a reply behind all parts, never placed without all parts, and closed stays closed', () => {
    fc.assert(
      fc.property(anyItem, anySighting, (item, sighting) => {
        const verdicts = kinds(item, sighting)
        const has = (kind: string): boolean => verdicts.includes(kind)
        const isComplete = [...Array(item.partCount).keys()].every((n) => sighting.parts.has(n + 1))
        const isOpen = !isClosed(item) && item.offers.length > 0
        expect(isOpen || verdicts.length === 0).toBe(true)
        expect(isComplete || !(has('placed') || has('seen'))).toBe(true)
        expect(sighting.descendant !== null || !has('seen')).toBe(true)
        expect(item.state === 'placed' || verdicts[0] === 'placed' || !has('seen')).toBe(true)
        expect(has('requeued') ? verdicts : ['requeued']).toEqual(['requeued'])
      }),
      { numRuns: 500 },
    )
  })
})

describe('messages from channels', () => {
  const origin = { channel: 'phone', sender: 'ada', at: now, claimedAt: null }
  const aMessage = (seq: number, text = `message ${seq}`): Item =>
    anItem({ seq, directive: aDirective({ id: `msg_${seq}`, text, origin }) })

  test('come together in the order of arrival; how to answer stands once, at their end', () => {
    const offers = chooseOffers([aMessage(3), aMessage(1), aMessage(2)], 'batch', 9000)
    expect(offers.map(({ item }) => item.directive.id)).toEqual(['msg_1', 'msg_2', 'msg_3'])
    expect(offers.map(({ text }) => text.includes('send_to_channel'))).toEqual([false, false, true])
    expect(offers.every(({ text }) => !text.includes('rein ack'))).toBe(true)
  })

  test('what does not fit comes with the next opportunity, and nothing overtakes it', () => {
    const items = Array.from({ length: 60 }, (_, index) => aMessage(index + 1, `${index} ${'x'.repeat(200)}`))
    const batches: string[][] = []
    for (let left = items; left.length > 0; ) {
      const offers = chooseOffers(left, 'batch', 9000)
      batches.push(offers.map(({ item }) => item.directive.id))
      left = left.slice(offers.length)
    }
    expect(batches.length).toBeGreaterThan(1)
    expect(batches.flat()).toEqual(items.map(({ directive }) => directive.id))
  })
})
