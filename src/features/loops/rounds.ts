import type { Loop } from '../../contract/loop.ts'
import type { Step } from './step.ts'

/** A loop, and by what it is known as the same one. */
export interface Found {
  key: string
  loop: Loop
}

const longestRound = 4

/** The steps at the end that come again and again in the same order, with the same results. */
export const roundIn = (steps: readonly Step[]): Found | null => {
  const lengths = Array.from({ length: longestRound }, (_, index) => index + 1)
  const rounds = lengths.map((length) => {
    const isAgain = (index: number): boolean => {
      const [one, other] = [steps.at(-1 - index), steps.at(-1 - index - length)]
      return one?.key === other?.key && one?.result === other?.result
    }
    let same = 0
    while (same < steps.length - length && isAgain(same)) same++
    return { length, count: 1 + Math.floor(same / length) }
  })
  const { length, count } = rounds.reduce((best, one) => (one.count > best.count ? one : best))
  if (count <= 1) return null
  const round = steps.slice(-length)
  // A round is the same wherever one begins to count.
  const keys = round.map(({ key }) => key).toSorted()
  return {
    key: `repeat ${keys.join(' ')}`,
    loop: { kind: 'repeat', calls: round.map(({ what }) => what), count, result: round.at(-1)?.shown ?? '' },
  }
}
