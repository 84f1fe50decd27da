import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { type Line, Lines, toLine } from './lines.ts'
import { gap, type Item } from './turn-line.ts'

const turn = (seq: number, text: string): Item => ({
  seq,
  ts: 1,
  session: 'c1',
  agent: 'worker',
  project: 'shop',
  prompt: text,
  turn: [{ type: 'text', text }],
  reason: 'idle',
  usage: null,
})

test('whatever was said: one line of JSON, and one event with that line as its data', () => {
  fc.assert(
    fc.property(fc.nat(), anyText, (seq, text) => {
      const { json, event } = toLine(turn(seq, text))
      expect(json.indexOf('\n')).toBe(json.length - 1)
      expect(JSON.parse(json.toString())).toEqual(turn(seq, text))
      expect(event.toString()).toBe(`id: ${seq}\nevent: turn\ndata: ${json.toString()}\n`)
    }),
  )
})

test('a gap leads to its end', () => {
  const { seq, json, event } = toLine(gap(3, 17))
  expect(seq).toBe(17)
  expect(json.toString()).toBe('{"gap":{"after":3,"until":17}}\n')
  expect(event.toString()).toBe('id: 17\nevent: gap\ndata: {"gap":{"after":3,"until":17}}\n\n')
})

test('the newest lines are kept, as many as fit, and one at least', () => {
  const aLine = fc.nat(300).map((size): Line => {
    const event = Buffer.alloc(size)
    return { seq: 0, event, json: event }
  })
  fc.assert(
    fc.property(fc.array(aLine, { minLength: 1 }), fc.nat(10), fc.nat(500), (made, count, bytes) => {
      const lines = new Lines({ count, bytes })
      for (const [index, line] of made.entries()) {
        lines.add(index, line)
        const kept = made.slice(0, index + 1).filter((_, position) => lines.after(position) !== undefined)
        expect(kept).toEqual(made.slice(index + 1 - kept.length, index + 1))
        const size = kept.reduce((sum, { event }) => sum + event.length, 0)
        expect(kept.length === 1 || (kept.length <= count && size <= bytes)).toBe(true)
        const before = made[index - kept.length]?.event.length ?? Number.POSITIVE_INFINITY
        expect(kept.length === count || kept.length === 1 || size + before > bytes || kept.length > index).toBe(true)
      }
    }),
  )
})
