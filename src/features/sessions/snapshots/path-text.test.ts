import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBelow, isPlainText, joined, parentsOf, pathAt, pathBytes, pathText } from './path-text.ts'

const bytes = fc.uint8Array({ maxLength: 40 }).map((values) => Buffer.from(values))
/** Bytes that are nearly UTF-8: cut characters, lone continuations, encoded surrogates. */
const nearlyText = fc
  .tuple(
    fc.string({ unit: 'grapheme' }),
    fc.nat({ max: 20 }),
    fc.constantFrom([0xff], [0xed, 0xb2, 0x80], [0xc3], [0xf0, 0x9f]),
  )
  .map(([text, cut, more]) => Buffer.concat([Buffer.from(text).subarray(cut), Buffer.from(more), Buffer.from(text)]))

describe('a path as text', () => {
  test('is the same bytes again, also after JSON', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, nearlyText), (name) => {
        expect(pathBytes(pathText(name))).toEqual(name)
        expect(pathBytes(JSON.parse(JSON.stringify(pathText(name))) as string)).toEqual(name)
      }),
    )
  })

  test('is plain text wherever it can be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(pathText(Buffer.from(text))).toBe(text)
      }),
    )
    expect(pathText(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\udcffb')
    expect([isPlainText('grüße 😀 \ufffd'), isPlainText('a\udcff')]).toEqual([true, false])
  })

  test('is put together and taken apart', () => {
    expect(parentsOf('a/b/c')).toEqual(['a', 'a/b'])
    expect([isBelow('a/b', 'a'), isBelow('ab', 'a'), isBelow('a', 'a'), isBelow('a', '')]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect([joined('', 'a'), joined('a', 'b')]).toEqual(['a', 'a/b'])
    expect(pathAt('/t', '\udcff')).toEqual(Buffer.from([0x2f, 0x74, 0x2f, 0xff]))
  })
})
