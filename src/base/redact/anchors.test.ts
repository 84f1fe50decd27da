import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Anchors } from './anchors.ts'

const found = (texts: string[], text: string): string[] => {
  const places: string[] = []
  new Anchors(texts).each(text, (index, start) => places.push(`${index}@${start}`))
  return places.toSorted()
}

const foundOneByOne = (texts: string[], text: string): string[] =>
  texts
    .flatMap((each, index) =>
      Array.from(text, (_, start) => start)
        .filter((start) => text.toLowerCase().startsWith(each, start))
        .map((start) => `${index}@${start}`),
    )
    .toSorted()

test('all places are found, in each other and over each other, as one by one', () => {
  const some = (unit: string, minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...unit.split('')), minLength, maxLength })
  fc.assert(
    fc.property(fc.array(some('ab_', 1, 4), { minLength: 1 }), some('abAB_', 0, 60), (texts, text) => {
      expect(found(texts, text)).toEqual(foundOneByOne(texts, text))
    }),
  )
})

test('signs beyond ASCII belong to no anchor and shift no place', () => {
  expect(found(['key'], 'é🔑kéy KEY')).toEqual(['0@7'])
})
