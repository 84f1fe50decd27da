import { expect, test } from 'vitest'
import { Places } from './places.ts'

test('no more jobs run at a time than there are places; the others follow in their order, also after a failure', async () => {
  const places = new Places(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const jobs = [0, 1, 2, 3, 4].map((number) =>
    places.during(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => (ends[number] = resolve))
      if (number === 0) throw new Error('broken')
      return number
    }),
  )
  const settled = Promise.allSettled(jobs)
  expect(begun).toEqual([0, 1])
  ends[0]?.()
  await expect(jobs[0]).rejects.toThrow('broken')
  expect(begun).toEqual([0, 1, 2])
  for (const number of [1, 2, 3, 4]) {
    await Promise.resolve()
    ends[number]?.()
    await jobs[number]
  }
  await settled
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await places.during(async () => 'free')).toBe('free')
})
