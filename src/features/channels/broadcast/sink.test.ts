import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { toLine } from './lines.ts'
import { sinkOf } from './sink.ts'
import { gap } from './turn-line.ts'

const mouthful = 128 * 1024
const aLine = (length: number) => ({ ...toLine(gap(1, 2)), json: Buffer.alloc(length, `${length} `) })

/** Takes what it is given at once only when it is told to. */
const start = () => {
  const given: Buffer[] = []
  let done: ((error?: Error) => void) | null = null
  const stream = new Writable({
    writev: (chunks, onDone) => {
      given.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)))
      done = onDone
    },
  })
  const take = (error?: Error): void => done?.(error)
  return { stream, given, take, sink: sinkOf(stream, ({ json }) => json) }
}

test('lines are given to the system all at once', () => {
  const { given, take, sink } = start()
  let count = 0
  const lines = [aLine(10), aLine(20), aLine(30)]
  sink.write(lines, () => (count += 1))
  expect([given, sink.taken, count]).toEqual([[Buffer.concat(lines.map(({ json }) => json))], 0, 0])
  take()
  expect([sink.taken, count]).toEqual([60, 1])
})

test('of one that is long it is known how much was taken', () => {
  const { given, take, sink } = start()
  const lines = [aLine(10), aLine(3 * mouthful), aLine(20)]
  const seen: number[] = []
  sink.write(lines, () => seen.push(-1))
  for (let step = 0; step < 4; step += 1) {
    seen.push(sink.taken)
    take()
  }
  expect(seen).toEqual([0, mouthful, 2 * mouthful, 3 * mouthful, -1])
  expect(sink.taken).toBe(3 * mouthful + 30)
  expect(Buffer.concat(given).equals(Buffer.concat(lines.map(({ json }) => json)))).toBe(true)
})

test('what the other side could not take is not taken, and nothing follows it', () => {
  const { stream, given, take, sink } = start()
  const lines = [aLine(2 * mouthful)]
  let count = 0
  stream.on('error', () => undefined)
  sink.write(lines, () => (count += 1))
  take(new Error('gone'))
  expect([given.length, sink.taken, count]).toEqual([1, 0, 0])
})
