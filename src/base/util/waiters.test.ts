import { expect, test } from 'vitest'
import { countHeld } from '../../../test/support/retained.ts'
import { Waiters } from './waiters.ts'

test('all who wait hear of the next news', async () => {
  const waiters = new Waiters()
  const waiting = [waiters.next(60_000), waiters.next(60_000)]
  waiters.tell()
  expect(await Promise.all(waiting)).toEqual([true, true])
})

test('one who has waited long enough is told so, and not kept', async () => {
  const waiters = new Waiters()
  const wait = async (): Promise<WeakRef<object>[]> => {
    const waiting = Array.from({ length: 50 }, () => waiters.next(0))
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]))
    return waiting.map((one) => new WeakRef(one))
  }
  expect(await countHeld(await wait())).toBe(0)
  waiters.tell()
})
