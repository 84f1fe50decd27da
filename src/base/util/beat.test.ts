import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onBeat } from './beat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('calls each as often as it asked, with one timer for all', () => {
  const [often, seldom] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stops = [onBeat(1000, often), onBeat(5000, seldom)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect([often.mock.calls.length, seldom.mock.calls.length]).toEqual([10, 2])
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('whoever stops is called no more, also when it stops within its own call', () => {
  const [once, other] = [vi.fn<() => void>(() => stop()), vi.fn<() => void>()]
  const stop = onBeat(1000, once)
  const stopOther = onBeat(1000, other)
  vi.advanceTimersByTime(3000)
  expect([once.mock.calls.length, other.mock.calls.length]).toEqual([1, 3])
  stopOther()
})
