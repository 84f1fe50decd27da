import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutput } from '../output.ts'
import { withProgress } from './progress.ts'

let printed: string[] = []
const outputTo = (isTTY: boolean, env = {}) => {
  const stream = { isTTY, write: (text: string) => printed.push(text) }
  return createOutput({ stdout: stream, stderr: stream }, env)
}

beforeEach(() => {
  printed = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

const clear = '\r\u001b[K'

test('what takes long says how far it is, in one line that is gone afterwards', async () => {
  const result = await withProgress(outputTo(true), async (onProgress) => {
    vi.advanceTimersByTime(1000)
    onProgress({ what: 'Reading', done: 1, total: 9 })
    onProgress({ what: 'Reading', done: 2, total: 9 })
    vi.advanceTimersByTime(1000)
    onProgress({ what: 'Reading', done: 8, total: 9 })
    vi.advanceTimersByTime(1000)
    return 'done'
  })
  expect(result).toBe('done')
  expect(printed).toEqual([`${clear}Reading: 2 of 9`, `${clear}Reading: 8 of 9`, clear])
  vi.advanceTimersByTime(5000)
  expect(printed).toHaveLength(3)
})

test('what is quick says nothing', async () => {
  await withProgress(outputTo(true), async (onProgress) => onProgress({ what: 'Reading', done: 1, total: 9 }))
  expect(printed).toEqual([])
})

test('the line is gone before an error is told', async () => {
  const work = withProgress(outputTo(true), async (onProgress) => {
    onProgress({ what: 'Reading', done: 0, total: 0 })
    vi.advanceTimersByTime(1000)
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(printed).toEqual([`${clear}Reading …`, clear])
})

test.each([
  [false, {}],
  [true, { TERM: 'dumb' }],
])('where no line can be replaced (%s, %j) there is none', async (isTTY, env) => {
  await withProgress(outputTo(isTTY, env), async (onProgress) => {
    onProgress({ what: 'Reading', done: 1, total: 9 })
    vi.advanceTimersByTime(3000)
  })
  expect(printed).toEqual([])
})
