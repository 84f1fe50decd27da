import { describe, expect, test } from 'vitest'
import { inParallel } from './parallel.ts'

describe('working in parallel', () => {
  test('does everything, never more than so many at once', async () => {
    let [busy, most] = [0, 0]
    const done: number[] = []
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      busy += 1
      most = Math.max(most, busy)
      await Promise.resolve()
      busy -= 1
      done.push(item)
    })
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(most).toBe(3)
  })

  test('ends at the first failure, when those under way are done', async () => {
    const done: number[] = []
    const work = async (item: number): Promise<void> => {
      if (item === 2) throw new Error('two')
      done.push(item)
    }
    await expect(inParallel([1, 2, 3, 4], 1, work)).rejects.toThrow('two')
    expect(done).toEqual([1])
  })
})
