import { expect, test, vi } from 'vitest'
import { Order, type Speaker } from './order.ts'

const speaker = (...saidAt: number[]): Speaker => ({ saidAt, said: 0 })
const joined = (...all: Speaker[]): Order => {
  const order = new Order(1000)
  for (const one of all) order.join(one)
  return order
}

test('whoever asks first, things are said in the order of then', async () => {
  const [ada, bob] = [speaker(1, 4), speaker(2, 3)]
  const order = joined(ada, bob)
  const said: string[] = []
  const say = async (name: string, one: Speaker): Promise<void> => {
    const turn = order.next(one)
    if (turn !== undefined) await turn
    said.push(name)
  }
  const first = say('bob 2', bob)
  expect(order.next(ada)).toBeUndefined()
  said.push('ada 1')
  await first
  const last = say('ada 4', ada)
  await say('bob 3', bob)
  await last
  expect(said).toEqual(['ada 1', 'bob 2', 'bob 3', 'ada 4'])
})

test('nobody waits for one that has nothing more to say, or was never there', async () => {
  const [ada, bob] = [speaker(1, 2), speaker(3)]
  const order = joined(ada, bob)
  const waits = order.next(bob)
  order.finish(ada)
  await waits
  expect(joined(speaker(5)).next(speaker(9))).toBeDefined()
  expect(joined().next(speaker(9))).toBeUndefined()
  expect(joined(ada).next(speaker())).toBeUndefined()
})

test('who has waited for too long is let go with all others, until order is kept again', async () => {
  vi.useFakeTimers()
  const [ada, bob, eve] = [speaker(1), speaker(2, 4), speaker(3)]
  const order = joined(ada, bob, eve)
  const [bobs, eves] = [order.next(bob), order.next(eve)]
  await vi.advanceTimersByTimeAsync(1000)
  expect([bobs, eves]).toEqual([expect.any(Promise), expect.any(Promise)])
  await bobs
  await eves
  expect(order.next(bob)).toBeUndefined()
  order.keep()
  const [late, later] = [speaker(5), speaker(6)]
  order.join(late)
  expect(order.next(later)).toBeDefined()
  vi.useRealTimers()
})
