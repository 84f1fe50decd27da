import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

test('lines of writers that took turns come in the order in which they were written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat({ max: 40 }), (fifos, lines) => {
      const written = Array.from({ length: lines }, (_, i) => i)
      const queues = Array.from({ length: fifos }, (_, fifo) => written.filter((i) => i % fifos === fifo))
      expect(inTurns(queues)).toEqual(written)
    }),
  )
})

test('whatever was read: all of it comes, and what one FIFO had in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 5 }), (sizes) => {
      const queues = sizes.map((size, fifo) => Array.from({ length: size }, (_, i) => ({ fifo, i })))
      const all = inTurns(queues)
      expect(queues.map((_, at) => all.filter(({ fifo }) => fifo === at))).toEqual(queues)
    }),
  )
})
