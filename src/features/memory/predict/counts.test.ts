import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Counts } from './counts.ts'
import { hashText } from './hash.ts'
import { Names } from './lexicon.ts'

const shape = { width: 4, mostRows: 64, keep: 0.75 }
const inRow = (counts: Counts, key: number, symbol: number): number =>
  counts.count(counts.place(counts.find(key), symbol))

it('counts symbols in contexts', () => {
  const counts = new Counts(shape)
  for (const symbol of [1, 2, 1]) counts.add(42, symbol)
  counts.add(43, 9)
  expect(inRow(counts, 42, 1)).toBe(2)
  expect(inRow(counts, 42, 2)).toBe(1)
  expect(counts.total(counts.find(42))).toBe(3)
  expect(counts.find(44)).toBe(-1)
})

it('weighs what came last most', () => {
  const counts = new Counts(shape)
  for (const symbol of [1, 1, 1, 2]) counts.add(7, symbol)
  const row = counts.find(7)
  const [often, lately] = [counts.place(row, 1), counts.place(row, 2)]
  expect(counts.recent(lately)).toBe(0.25)
  expect(counts.count(often)).toBeGreaterThan(counts.count(lately))
})

it('gives the place of the rarest to a new symbol', () => {
  const counts = new Counts(shape)
  for (const symbol of [1, 1, 2, 3, 3, 4, 4, 5]) counts.add(7, symbol)
  const row = counts.find(7)
  expect([1, 2, 3, 4, 5].filter((symbol) => counts.place(row, symbol) >= 0)).toEqual([1, 3, 4, 5])
})

it('never keeps more contexts than it may, and keeps the one in use', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 500, maxLength: 1500 }), (keys) => {
      const counts = new Counts(shape)
      for (const key of keys) {
        counts.add(hashText(key), 1)
        expect(inRow(counts, hashText(key), 1)).toBeGreaterThan(0)
      }
      expect(counts.save().reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(16 + 64 * 14 * 4)
    }),
    { numRuns: 20 },
  )
})

it('finds all contexts again after it has grown', () => {
  const counts = new Counts({ ...shape, mostRows: 2 ** 14 })
  const keys = Array.from({ length: 3000 }, (_, index) => hashText(`key ${index}`))
  for (const key of keys) counts.add(key, 5)
  const found = keys.filter((key) => inRow(counts, key, 5) === 1)
  expect(found.length).toBeGreaterThan(2900)
})

it('is the same after saving and loading', () => {
  const counts = new Counts(shape)
  for (let index = 0; index < 100; index++) counts.add(index % 17, 1 + (index % 5))
  const copy = new Counts(shape)
  copy.load(counts.save())
  expect(copy.save()).toEqual(counts.save())
})

it('forgets the names that were not used for longest, and never gives a number twice', () => {
  const names = new Names<string>(4)
  const [first, second] = [names.number('a', () => 'A'), names.number('b', () => 'B')]
  expect(names.number('a', () => 'again')).toBe(first)
  const third = names.number('c', () => 'C')
  expect(names.find('b')).toBeUndefined()
  expect(names.value(second)).toBeUndefined()
  expect(names.value(first)).toBe('A')
  expect(names.number('b', () => 'B')).toBeGreaterThan(third)
})

it('never keeps more names than it may, and knows all that were used lately', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 }), (texts) => {
      const names = new Names<number>(20)
      for (const [index, text] of texts.entries()) {
        names.number(String(text), () => text)
        const lately = texts.slice(Math.max(0, index - 8), index + 1)
        expect(lately.every((one) => names.value(names.find(String(one)) ?? 0) === one)).toBe(true)
      }
      const { fresh, old } = names.save()
      expect(new Set([...fresh, ...old].map(([number]) => number)).size).toBeLessThanOrEqual(20)
    }),
  )
})
