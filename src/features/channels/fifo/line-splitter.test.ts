import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxLineBytes } from './line.ts'
import { FifoLineSplitter, type Found } from './line-splitter.ts'

const tooLong = 'a line of more than 4096 bytes'
const inDoubt = expect.stringContaining('may be a piece')
const unfinished = expect.stringContaining('half a line')

const said = (found: Found[]): string[] => found.map((one) => ('line' in one ? `> ${String(one.line)}` : one.refused))
const push = (splitter: FifoLineSplitter, text: string, now = 0): string[] =>
  said(splitter.push(Buffer.from(text), now))
const longest = 'x'.repeat(maxLineBytes - 1)

/** The text in pieces, cut at any bytes, also within a character. */
const inPieces = (text: string, cuts: number[]): Buffer[] => {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

test('lines come out whole and in order, wherever the chunks are cut', () => {
  const aLine = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((line) => line.replaceAll('\n', '') || '-')
  fc.assert(
    fc.property(fc.array(aLine), fc.array(fc.nat()), (lines, cuts) => {
      const splitter = new FifoLineSplitter()
      const pieces = inPieces(lines.map((line) => `${line}\n`).join(''), cuts)
      const found = pieces.flatMap((piece) => splitter.push(piece, 0))
      expect(said(found)).toEqual(lines.map((line) => `> ${line}`))
      expect(splitter.patienceMs).toBeNull()
    }),
  )
})

test('a line of the limit is taken, one byte more is refused, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 5 }), (cuts) => {
      const [fits, not] = [new FifoLineSplitter(), new FifoLineSplitter()]
      const taken = inPieces(`${longest}\n`, cuts).flatMap((piece) => fits.push(piece, 0))
      const refused = inPieces(`${longest}y\n`, cuts).flatMap((piece) => not.push(piece, 0))
      expect([said(taken), said(refused)]).toEqual([[`> ${longest}`], [tooLong]])
    }),
    { numRuns: 30 },
  )
})

test('empty lines are nothing', () => {
  expect(push(new FifoLineSplitter(), '\n\na\n\n')).toEqual(['> a'])
})

test('an endless line is refused once, and kept nowhere', () => {
  const splitter = new FifoLineSplitter()
  const chunk = 'x'.repeat(65_536)
  expect(push(splitter, chunk)).toEqual([tooLong])
  for (let i = 0; i < 100; i += 1) expect(push(splitter, chunk)).toEqual([])
  expect(push(splitter, '\n')).toEqual([])
})

test('the pieces of a long line that others have torn apart are all refused', () => {
  const splitter = new FifoLineSplitter()
  expect(push(splitter, 'before\n')).toEqual(['> before'])
  expect(push(splitter, `${longest}xother line\n`)).toEqual([tooLong])
  expect(push(splitter, 'the end of it\nmore\n')).toEqual([inDoubt, inDoubt])
  expect(push(splitter, `${longest}y\n`)).toEqual([tooLong])
})

test('after a quiet time lines are taken again', () => {
  const splitter = new FifoLineSplitter()
  push(splitter, `${longest}x\n`)
  expect(splitter.patienceMs).toBe(250)
  expect(said(splitter.end())).toEqual([])
  expect(splitter.patienceMs).toBeNull()
  expect(push(splitter, 'after\n')).toEqual(['> after'])
})

test('while the end of a long line is missing, a short quiet is not enough', () => {
  const splitter = new FifoLineSplitter()
  push(splitter, `${longest}x`)
  expect(splitter.patienceMs).toBe(5000)
  expect(push(splitter, 'rest\n', 4000)).toEqual([])
  expect(splitter.patienceMs).toBe(250)
})

test('a FIFO that is never quiet takes lines again five seconds after the last long one, at the end of a line', () => {
  const splitter = new FifoLineSplitter()
  push(splitter, `${longest}x\n`, 0)
  expect(push(splitter, `a\n${longest}x\n`, 4000)).toEqual([inDoubt, tooLong])
  expect(push(splitter, 'b\nha', 8999)).toEqual([inDoubt])
  expect(push(splitter, 'lf\nc\n', 9000)).toEqual([inDoubt, '> c'])
})

test('half a line is a whole one when its writer has left, and the next one stands alone', () => {
  const splitter = new FifoLineSplitter()
  expect(push(splitter, 'whole\nhal')).toEqual(['> whole'])
  expect(splitter.patienceMs).toBe(5000)
  expect(said(splitter.end())).toEqual(['> hal'])
  expect(push(splitter, 'next\n')).toEqual(['> next'])
})

test('half a line whose writer is still at it is refused by name when nothing more is read', () => {
  const splitter = new FifoLineSplitter()
  push(splitter, 'hal')
  expect(said(splitter.abandon())).toEqual([unfinished])
  expect(said(splitter.abandon())).toEqual([])
})

test('half a line in doubt is refused by name too, and the next one is not in doubt', () => {
  const splitter = new FifoLineSplitter()
  push(splitter, `${longest}x\nhal`)
  expect(said(splitter.end())).toEqual([inDoubt])
  expect(push(splitter, 'next\n')).toEqual(['> next'])
})

test('whatever comes: no line is over the limit, none holds a line end, and nothing that is taken was not sent', () => {
  const aPiece = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('\n', longest, `${longest}\n`, 'x'.repeat(5000), `${'y'.repeat(9000)}\n`),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(aPiece, fc.boolean()), { maxLength: 30 }), (pieces) => {
      const splitter = new FifoLineSplitter()
      const sent = pieces.map(([piece]) => piece).join('')
      for (const [piece, isQuiet] of pieces) {
        const found = [...splitter.push(Buffer.from(piece), 0), ...(isQuiet ? splitter.end() : [])]
        for (const one of found) {
          if ('refused' in one) continue
          expect(one.line.length).toBeLessThan(maxLineBytes)
          expect(one.line.includes(0x0a)).toBe(false)
          expect(sent).toContain(one.line.toString())
        }
      }
    }),
    { numRuns: 200 },
  )
})
