import { expect, test } from 'vitest'
import { several } from './several.ts'

test('so many at a time, all of them, in order', async () => {
  let [running, most] = [0, 0]
  const results = await several([1, 2, 3, 4, 5], 2, async (n) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return n * 10
  })
  expect([results, most]).toEqual([[10, 20, 30, 40, 50], 2])
})

test('nothing to do is done', async () => {
  expect(await several([], 3, async (n) => n)).toEqual([])
})
