import { vi } from 'vitest'

/** How often others have their turn while this work goes on, on a machine so slow that each of its steps takes long. */
export const countTurns = async (work: () => Promise<unknown>): Promise<number> => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000))
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(next)
    clock.mockRestore()
  }
  return turns
}
