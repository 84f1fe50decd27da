import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heldBytes } from '../../../test/support/retained.ts'
import { copyText } from './copy-text.ts'

test('it is the same text, whatever is in it', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => copyText(text) === text))
  expect(copyText('\ud800 alone')).toBe('\ud800 alone')
})

test('it holds nothing of the text that it was cut from', async () => {
  const long = 2 ** 20
  const cut = (): string[] =>
    Array.from({ length: 40 }, (_, index) => copyText(`${index} `.padEnd(long, 'long ').slice(100, 200)))
  expect(await heldBytes(cut)).toBeLessThan(4 * long)
})
